import { operations, type Operation, type OperationId, type Person } from '@hr/schemas';
import { HttpProblem } from '@hr/schemas/provider';
import type { System } from '@hr/schemas/rules';

/** The scopes a client can have: that of the API (section 5), that of operators, or a part of the latter. */
export const scopes = [
  'api:use',
  'operator',
  'operator:read',
  'operator:payments',
  'operator:clients',
  'operator:feed',
] as const;
export type Scope = (typeof scopes)[number];

/** The scope of a client and its parts: those that its tokens can have. */
export function scopesWithin(scope: Scope): readonly [Scope, ...Scope[]] {
  return [scope, ...scopes.filter((each) => each.startsWith(`${scope}:`))];
}

/** What a client may use and see of the API. Without a list, or with `null`, it is all. */
export interface Grants {
  readonly operations?: readonly OperationId[] | null | undefined;
  readonly systems?: readonly System[] | null | undefined;
  /** Of persons, beside `id`. */
  readonly fields?: readonly (keyof Person)[] | null | undefined;
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

/**
 * Checks that a client may use an operation.
 *
 * @param id of an operation of the API; operations of operators are granted by scope alone
 * @throws {HttpProblem} `forbidden`.
 */
export function checkOperation({ operations: granted, systems }: Grants, id: string): void {
  if (granted && !granted.includes(id as OperationId)) {
    throw new HttpProblem('forbidden', `This client may not use ${id}. Ask the operator to grant the operation.`);
  }
  const system = systemOf(id);
  if (systems && system && !systems.includes(system)) {
    throw new HttpProblem(
      'forbidden',
      `This client may not use ${id}, whose data is of the system ${system}. Ask the operator to grant the system.`,
    );
  }
}

const systemsOfTags: Readonly<Partial<Record<string, System>>> = { Payroll: 'payroll', Time: 'time' };

/** The system whose data an operation reads or writes. Those on persons show and change only what the client sees. */
export function systemOf(id: string): System | undefined {
  const table: Readonly<Partial<Record<string, Operation>>> = operations;
  return systemsOfTags[table[id]?.tag ?? ''];
}
