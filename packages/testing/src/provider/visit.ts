import type { State } from '../states/provider-states.ts';
import type { Fault } from './verification-result.ts';

/** One interaction as the verification proxy sees it pass. */
export interface Visit {
  /** Names of the states that were asked for. */
  readonly stateNames: string[];
  /** Those of them that are known. */
  readonly states: State[];
  /** What went wrong before the provider could answer. */
  readonly faults: Fault[];
  /** What a state handler, `reset` or a token option has thrown. */
  readonly errors: unknown[];
  /** The verifier has sent the request. */
  isRequested: boolean;
  isOver: boolean;
  /** The provider has answered 401 to a token that is none of the examples, so no option has replaced it. */
  isOwnTokenRefused: boolean;
  /** What the provider has answered, where that is JSON. */
  answer: unknown;
}

export function newVisit(): Visit {
  return {
    stateNames: [],
    states: [],
    faults: [],
    errors: [],
    isRequested: false,
    isOver: false,
    isOwnTokenRefused: false,
    answer: undefined,
  };
}
