import { createHmac } from 'node:crypto';
import type { Person } from '@hr/client';
import { Address, BankDetails } from '@hr/schemas';
import { z } from 'zod';
import { maskBankDetails } from '../model/masked-bank-details.ts';

/** What a screen changes: one property of a person. */
export type EditKind = 'address' | 'bankDetails';

/** Bounds of a field, in code points. */
export interface Limit {
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: string | undefined;
}

/** A stored address, or stored bank details with a masked IBAN. */
export interface StoredValue {
  /** Changes with the value. A save sends it back, so that it overwrites nothing that somebody else changed. */
  readonly version: string;
  /** The fields that have a value. */
  readonly fields: Fields;
  /** Changes with the IBAN, which two masked ones do not tell apart. */
  readonly ibanVersion: string;
}

/** What a form begins with. */
export interface EditScreen {
  /** Of the person. */
  readonly name: string;
  readonly stored: StoredValue;
  readonly limits: Readonly<Record<string, Limit>>;
}

export type Fields = Readonly<Record<string, string>>;

const models = { address: Address, bankDetails: BankDetails };

/** Returns the bounds of each field, as the models state them. */
export function limitsOf(kind: EditKind): Readonly<Record<string, Limit>> {
  return Object.fromEntries(
    Object.entries(models[kind].shape).map(([name, schema]) => {
      const { minLength, maxLength, pattern } = z.toJSONSchema(schema) as Limit;
      return [name, { minLength, maxLength, pattern }];
    }),
  );
}

/**
 * Returns what the browser may see of a stored value.
 *
 * @param key - Of the versions, so that nobody can guess an IBAN by its version.
 */
export function storedValue(key: string, kind: EditKind, person: Person): StoredValue {
  const fields = fieldsOf(person[kind]);
  return {
    version: versionOf(
      key,
      kind,
      person.id,
      Object.keys(fields)
        .toSorted()
        .map((name) => [name, fields[name]]),
    ),
    fields: kind === 'address' ? fields : maskedFields(fields),
    ibanVersion: versionOf(key, 'iban', person.id, fields['iban']),
  };
}

/** The fields that have a value. Absent, `null` and empty ones are the same. */
export function fieldsOf(value: object | null | undefined): Fields {
  const given = Object.entries(value ?? {}).filter(
    ([, field]) => field !== null && field !== undefined && field !== '',
  );
  return Object.fromEntries(
    given.map(([name, field]: [string, unknown]) => [name, typeof field === 'string' ? field : JSON.stringify(field)]),
  );
}

/** Fields that the specification does not have may contain an account number, so only their names are shown. */
function maskedFields(fields: Fields): Fields {
  const known = fieldsOf(maskBankDetails(fields));
  const others = Object.keys(fields).filter((name) => !Object.hasOwn(BankDetails.shape, name));
  return { ...known, ...Object.fromEntries(others.map((name) => [name, '••••'])) };
}

function versionOf(key: string, ...parts: readonly unknown[]): string {
  return createHmac('sha256', key).update(JSON.stringify(parts)).digest('base64url');
}
