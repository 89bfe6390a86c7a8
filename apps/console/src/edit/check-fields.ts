import { hasWrongCheckDigits } from '@hr/text/iban';
import type { Locale } from '../shell/locale.tsx';
import { formFields, sentFields, type Input } from './comparison.ts';
import type { SaveProblem } from './drafts.ts';
import type { EditKind, Limit, StoredValue } from './stored-value.ts';

export type Limits = Readonly<Record<string, Limit>>;
/** Codes of faults by field, such as `too-long`. */
export type FieldFaults = Readonly<Record<string, string>>;
export type Warning = 'check-digits' | 'unknown-country' | 'bic-unchanged';

const COUNTRY_CODE = /^[A-Z]{2}$/;
/** Codes that name no country: unknown region, and pseudo-locales. */
const noCountries = new Set(['ZZ', 'XA', 'XB']);
const LAST_NAME = /[^/]*$/;

/** Counts as the service does: code points, not UTF-16 units. */
export function lengthOf(value: string): number {
  return Array.from(value).length;
}

/** What the service would reject. */
export function faultsOf(kind: EditKind, input: Input, limits: Limits): FieldFaults {
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
  problem: SaveProblem | undefined,
): { readonly faults: FieldFaults; readonly other: readonly string[] } {
  const names = formFields(kind, input);
  const errors = (problem?.errors ?? []).map(({ pointer, code = 'rule' }) => ({
    name: LAST_NAME.exec(pointer)?.[0] ?? '',
    pointer,
    code,
  }));
  return {
    faults: Object.fromEntries(errors.filter(({ name }) => names.includes(name)).map(({ name, code }) => [name, code])),
    other: errors.filter(({ name }) => !names.includes(name)).map(({ pointer, code }) => `${pointer}: ${code}`),
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

/** The name of a country by its ISO 3166-1 code; undefined if there is none. */
export function countryName(code: string, locale: Locale): string | undefined {
  if (!COUNTRY_CODE.test(code) || noCountries.has(code)) return undefined;
  return new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' }).of(code);
}
