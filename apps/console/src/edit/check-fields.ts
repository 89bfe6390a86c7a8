import { hasWrongCheckDigits } from '@hr/text/iban';
import type { Fault } from '../backend/problem.ts';
import { lengthOf } from '../components/form.tsx';
import { countryName } from '../model/countries.ts';
import { formFields, sentFields, type Input } from './comparison.ts';
import type { EditKind, Limit, StoredValue } from './stored-value.ts';
import type { EditDraft } from './edit-draft.ts';

/** Codes of faults by field, such as `too-long`. */
type FieldFaults = Readonly<Record<string, string>>;
type Warning = 'check-digits' | 'unknown-country' | 'bic-unchanged';

const LAST_NAME = /[^/]*$/;

/** What the service would reject. */
export function faultsOf(kind: EditKind, input: Input, limits: Readonly<Record<string, Limit>>): FieldFaults {
  const faults = Object.entries(sentFields(kind, input)).flatMap(([name, value]) => {
    const { minLength = 0, maxLength = Infinity, pattern } = limits[name] ?? {};
    if (lengthOf(value) > maxLength) return [[name, 'too-long']];
    if (lengthOf(value) < minLength) return [[name, 'too-short']];
    return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? [[name, 'wrong-format']] : [];
  });
  return Object.fromEntries(faults) as FieldFaults;
}

/** The places that the service rejected, such as `/addresses/0/zipCode`, by field; `other` are not in the form. */
export function rejectedFields(
  kind: EditKind,
  input: Input,
  problem: EditDraft['problem'],
): { readonly faults: FieldFaults; readonly other: readonly Fault[] } {
  const names = formFields(kind, input);
  const errors = (problem?.errors ?? []).map((error) => ({ error, name: LAST_NAME.exec(error.pointer)?.[0] ?? '' }));
  const own = errors.filter(({ name }) => names.includes(name));
  return {
    faults: Object.fromEntries(own.map(({ name, error }) => [name, error.code ?? 'rule'])),
    other: errors.filter((one) => !own.includes(one)).map(({ error }) => error),
  };
}

/** What is probably wrong. The service accepts it. */
export function warningsOf(kind: EditKind, stored: StoredValue, input: Input): Readonly<Record<string, Warning>> {
  const { country, iban, bic } = sentFields(kind, input);
  const isNewIban = iban !== undefined && stored.fields['iban'] !== undefined;
  return {
    ...(country !== undefined && !countryName(country, 'en') && { country: 'unknown-country' }),
    ...(iban !== undefined && !countryName(iban.slice(0, 2), 'en') && { iban: 'unknown-country' }),
    ...(iban !== undefined && hasWrongCheckDigits(iban) && { iban: 'check-digits' }),
    ...(isNewIban && bic !== undefined && bic === stored.fields['bic'] && { bic: 'bic-unchanged' }),
  };
}
