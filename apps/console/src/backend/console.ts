import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { CopyReads } from './copy-reads.ts';
import type { HrCloud } from './hr-cloud.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Live } from './live.ts';
import type { Sessions } from './provider-sessions.ts';
import type { Records, User } from './records.ts';
import type { View } from './view.ts';

/** What the handlers of all screens work with. They read persons only by the view of somebody. */
export interface Console {
  readonly config: Config;
  readonly cloud: Omit<HrCloud, 'mirror' | 'changes' | typeof Symbol.asyncDispose>;
  readonly live: Live;
  readonly records: Records;
  readonly sessions: Sessions;
  readonly reads: CopyReads;
  /** Who signs people in; without it, links do. */
  readonly provider: IdentityProvider | undefined;
  /** Returns what somebody may see and do. */
  readonly viewOf: (viewer: Pick<User, 'grants' | 'employeeNumber'>) => View;
  /** Origin that browsers use. */
  readonly origin: () => string;
}

/** Adds the handlers of a screen. Their paths begin with `/bff/`. */
export type Feature = (app: FastifyInstance, context: Console) => void;
