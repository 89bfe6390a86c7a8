/** The rules of one place, by path or name: `{ '$.id': { matchers: [{ match: 'type' }] } }`. */
export type RulesByPlace = Readonly<Record<string, RuleList>>;

/** The matchers of one place. */
export interface RuleList {
  readonly combine?: 'AND' | 'OR';
  readonly matchers: readonly Matcher[];
}

/** A matcher as pacts write it; which other members it has its name tells. */
export interface Matcher {
  readonly match: string;
  readonly [member: string]: unknown;
}

interface MatchingRules {
  readonly body?: RulesByPlace;
  readonly query?: RulesByPlace;
}

/** A provider state that an interaction needs. */
interface NeededState {
  readonly name: string;
  readonly params?: unknown;
}

/** Header names are as written; several values of one stand in a list. */
type Headers = Readonly<Record<string, string | readonly string[]>>;

/** An interaction over HTTP of a pact of specification 3 or 4. */
export interface Interaction {
  /** Only specification 4 names it. */
  readonly type?: 'Synchronous/HTTP';
  readonly description: string;
  readonly providerStates?: readonly NeededState[];
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    readonly headers?: Headers;
    readonly body?: unknown;
    readonly matchingRules?: MatchingRules;
  };
  readonly response: {
    readonly status: number;
    readonly headers?: Headers;
    readonly body?: unknown;
    readonly matchingRules?: MatchingRules;
  };
}

/** A pact, and the file it was read from. */
export interface Pact {
  readonly file: string;
  readonly consumer: string;
  readonly provider: string;
  readonly interactions: readonly Interaction[];
  /** The file as it is. */
  readonly content: object;
}
