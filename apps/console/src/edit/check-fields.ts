import { hasWrongCheckDigits } from '@hr/text/iban';
import { lengthOf } from '../components/form.tsx';
import { countryName } from '../model/countries.ts';
import { formFields, sentFields, type Input } from './comparison.ts';
import type { EditKind, EditScreen, Fields, StoredValue } from './stored-value.ts';
import type { EditDraft } from './edit-draft.ts';

type Warning = 'check-digits' | 'unknown-country' | 'bic-unchanged';

const LAST_NAME = /[^/]*$/;

/** The codes of what the service would reject, such as `too-long`, by field. */
export function faultsOf(kind: EditKind, input: Input, limits: EditScreen['limits']): Fields {
  const faults = Object.entries(sentFields(kind, input)).flatMap(([name, value]) => {
    const { minLength = 0, maxLength = Infinity, pattern } = limits[name] ?? {};
    if (lengthOf(value) > maxLength) return [[name, 'too-long']];
    if (lengthOf(value) < minLength) return [[name, 'too-short']];
    return pattern !== undefined && !new RegExp(pattern, 'u').test(value) ? [[name, 'wrong-format']] : [];
  });
  return Object.fromEntries(faults) as Fields;
}

/** The places that the service rejected, such as `/addresses/0/zipCode`, by field; `other` are not in the form. */
export function rejectedFields(kind: EditKind, { input, problem }: EditDraft) {
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
