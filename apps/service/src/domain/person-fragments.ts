import type { Person } from '@hr/schemas';
import { fieldsOf } from '@hr/schemas/rules';
import type { System } from '@hr/schemas/rules';

/** What is known of a person, by source. Values are JSON text. */
export interface PersonSources {
  readonly personId: string;
  /** The feed's `person` record. */
  readonly master: string;
  readonly bankDetails: string | null;
  readonly keyNumber: string | null;
  readonly patchedAddresses: string | null;
  readonly patchedBankDetails: string | null;
  /** All mapped contract ids, in order. */
  readonly payrollContractIds: readonly string[];
  /** The employments that have both a payroll record and a mapping, in order. */
  readonly employments: readonly string[];
}

/** One system's part of a person's JSON object: members, each with a comma before it. */
export interface Fragment {
  readonly present: string;
  /** The fields without a value, as `null`: only lists of changes carry them. */
  readonly absent: string;
}

type FieldTexts = { readonly [Field in keyof Person]?: string | undefined };

/**
 * Renders each system's fragment of a person, and the head they follow. The custom fields are apart, as a JSON array:
 * which of them a client sees is known only when it reads.
 */
export function personFragments(
  sources: PersonSources,
): { head: string; customFields: string } & Record<System, Fragment> {
  const master: Record<string, unknown> = JSON.parse(sources.master) as Record<string, unknown>;
  const bankDetails = sources.patchedBankDetails ?? sources.bankDetails;
  return {
    head: `{"id":${JSON.stringify(sources.personId)}`,
    customFields: JSON.stringify(master['customFields'] ?? []),
    master: fragment('master', {
      ...Object.fromEntries(Object.entries(master).map(([field, value]) => [field, JSON.stringify(value)])),
      middleName: '""',
      ...(sources.patchedAddresses !== null && { address: firstOf(sources.patchedAddresses) }),
      groups: JSON.stringify(master['groups'] ?? []),
      payrollContractIds: JSON.stringify(sources.payrollContractIds),
    }),
    payroll: fragment('payroll', {
      bankDetails: bankDetails ?? undefined,
      employments: `[${sources.employments.join(',')}]`,
    }),
    time: fragment('time', { keyNumber: sources.keyNumber ?? undefined }),
  };
}

function fragment(system: System, texts: FieldTexts): Fragment {
  let present = '';
  let absent = '';
  for (const field of fieldsOf(system)) {
    if (field === 'customFields') continue;
    const text = texts[field];
    if (text === undefined) absent += `,"${field}":null`;
    else present += `,"${field}":${text}`;
  }
  return { present, absent };
}

function firstOf(addresses: string): string | undefined {
  const [first] = JSON.parse(addresses) as unknown[];
  return first === undefined ? undefined : JSON.stringify(first);
}
