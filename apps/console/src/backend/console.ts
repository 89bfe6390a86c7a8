import type { FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { CopyReads } from './copy-reads.ts';
import type { HrCloud } from './hr-cloud.ts';
import type { IdentityProvider } from './identity-provider.ts';
import type { Live } from './live.ts';
import type { Sessions } from './provider-routes.ts';
import type { Records } from './records.ts';

/** What the handlers of all screens work with. */
export interface Console {
  readonly config: Config;
  readonly cloud: HrCloud;
  readonly live: Live;
  readonly records: Records;
  readonly sessions: Sessions;
  readonly reads: CopyReads;
  /** Who signs people in; without it, links do. */
  readonly provider: IdentityProvider | undefined;
  /** Origin that browsers use. */
  readonly origin: () => string;
}

/** Adds the handlers of a screen. Their paths begin with `/bff/`. */
export type Feature = (app: FastifyInstance, context: Console) => void;
