import type { Grants } from '@hr/schemas/provider';

/** The scopes a client can have: that of the API (section 5), that of operators, or a part of the latter. */
export const scopes = [
  'api:use',
  'operator',
  'operator:read',
  'operator:payments',
  'operator:clients',
  'operator:feed',
  'operator:audit',
] as const;
export type Scope = (typeof scopes)[number];

/** The scope of a client and its parts: those that its tokens can have. */
export function scopesWithin(scope: Scope): readonly [Scope, ...Scope[]] {
  return [scope, ...scopes.filter((each) => each.startsWith(`${scope}:`))];
}

/** {@link Grants} with what is hidden unless it is granted. */
export interface VisibleGrants extends Grants {
  /** The names of the custom fields of persons that the client sees. */
  readonly customFields: readonly string[];
}

/** What an access token proves. */
export interface TokenGrant extends VisibleGrants {
  readonly clientId: string;
  readonly scope: Scope;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** Whether the client may say for whom it acts. */
  readonly actsForPeople?: boolean;
  /** The change set in which grants or custom fields changed last. */
  readonly grantsChange?: string | null;
}

/** What a connection of this machine's command line proves. */
export const commandLine: TokenGrant = {
  clientId: 'command line',
  scope: 'operator',
  expiresAt: Number.POSITIVE_INFINITY,
  customFields: [],
};
