import type { Queries } from '../database/database.ts';
import type { JsonAnswer, Subject } from '../database/json-answer.ts';
import type { Acting } from './acting.ts';

/** Who sent a request. */
export interface Origin extends Acting {
  /** A client's id, `command line`, or `unknown` where a request did not prove who sent it. */
  readonly actor: string;
  readonly requestId: string;
}

/** Who accessed whose data, by which request. */
export interface Access extends Origin, Subject {
  readonly operation: string;
}

/** Records who reads and changes data. */
export interface AccessAudit {
  /** @throws {HttpProblem} when too many reads wait to be written. */
  checkRoom(): void;
  /** Records the read of a response: of a text now, of a list when it ends, with the number of elements sent until then. */
  noteRead(answer: JsonAnswer, access: Access): void;
  /** Records a change in its transaction; one of no elements is a read of what is stored. */
  recordChange(transaction: Queries, access: Access, elements: number): Promise<void>;
}
