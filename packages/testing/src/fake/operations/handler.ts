import type { Body, OperationId, Operations, PathParameters, Query } from '@hr/schemas';
import type { z } from 'zod';
import type { TokenGrant } from '../http/tokens.ts';
import type { Store } from '../store.ts';

/** A request of an operation whose inputs have been checked. */
interface Call<Path, Sent, Content> {
  readonly store: Store;
  readonly path: Path;
  readonly query: Sent;
  /** The parsed JSON, exactly as sent. */
  readonly body: Content;
  readonly idempotencyKey: string | undefined;
  readonly grant: TokenGrant;
}

type Element<Id extends OperationId> =
  | z.output<Operations[Id]['response']>
  | (Operations[Id] extends { delta: infer Delta extends z.ZodType } ? z.output<Delta> : never);

/** What answers an operation of the API; `undefined` where what the path names is unknown. */
export type Handler<Id extends OperationId> = (
  call: Call<PathParameters<Id>, Query<Id>, Body<Id>>,
) => (Operations[Id]['list'] extends true ? readonly Element<Id>[] : Element<Id>) | undefined;
