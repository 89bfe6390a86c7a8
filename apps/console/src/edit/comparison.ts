import { compactIban } from '@hr/text/iban';
import type { EditKind, Fields, StoredValue } from './stored-value.ts';

/** What a person entered. */
export interface Input {
  readonly fields: Fields;
  /** Whether an address is a post-office box. Fields of the other form stay here, and are not sent. */
  readonly isBox: boolean;
  /** Whether the stored IBAN, which the browser does not have, is sent again. */
  readonly keepsIban: boolean;
}

/** A field before and after a change. */
export interface Row {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly change: 'unchanged' | 'changed' | 'added' | 'discarded';
}

/** Who a field is taken from in a conflict. */
export type Side = 'theirs' | 'mine';

/** A field in a conflict. */
export interface ConflictRow {
  readonly name: string;
  readonly start: string | undefined;
  readonly theirs: string | undefined;
  readonly mine: string | undefined;
  /** Fields of a group are chosen together. */
  readonly group: string;
  /** Undefined if there is nothing to choose. */
  readonly choice: 'open' | undefined;
  /** The side that changed the field, if only one did. */
  readonly suggestion: Side | undefined;
}

const streetFields = ['street', 'houseNumber'];
const boxFields = ['postOfficeBox'];
const placeFields = ['additionalAddressInfo', 'zipCode', 'city', 'country', 'stateCode'];
const bankFields = ['iban', 'bic', 'payee'];

export function inputOf({ fields }: StoredValue): Input {
  const { iban: _, ...others } = fields;
  return {
    fields: others,
    isBox: fields['postOfficeBox'] !== undefined,
    keepsIban: fields['iban'] !== undefined,
  };
}

/** The names of the fields of a form, in its order. */
export function formFields(kind: EditKind, { isBox }: Pick<Input, 'isBox'>): readonly string[] {
  if (kind === 'bankDetails') return bankFields;
  return [...(isBox ? boxFields : streetFields), ...placeFields];
}

/** A value without the spaces around it. An IBAN is copied from letters with spaces inside, too. */
export function cleaned(name: string, value: string): string {
  return name === 'iban' ? compactIban(value) : value.trim();
}

/** The fields to send: those of the form that have a value. */
export function sentFields(kind: EditKind, input: Input): Fields {
  const fields = formFields(kind, input).map((name) => [name, cleaned(name, input.fields[name] ?? '')] as const);
  return Object.fromEntries(fields.filter(([name, value]) => value !== '' && !(name === 'iban' && input.keepsIban)));
}

/** Compares what is stored with what is sent, field by field. */
export function compare(kind: EditKind, stored: StoredValue, input: Input): readonly Row[] {
  const after = shownFields(kind, stored, input);
  return namesOf(stored.fields, after).map((name) => {
    const [old, next] = [stored.fields[name], after[name]];
    return { name, before: old, after: next, change: changeOf(old, next) };
  });
}

export function isChanged(kind: EditKind, stored: StoredValue, input: Input): boolean {
  return compare(kind, stored, input).some(({ change }) => change !== 'unchanged');
}

/** Compares what a person started from, what is stored now, and what the person entered. */
export function compareThree(
  kind: EditKind,
  start: StoredValue,
  theirs: StoredValue,
  input: Input,
): readonly ConflictRow[] {
  const mine = shownFields(kind, start, input);
  const areKindsDifferent = input.isBox !== (theirs.fields['postOfficeBox'] !== undefined);
  return namesOf(start.fields, theirs.fields, mine).map((name) => {
    const isIban = name === 'iban';
    const row = { name, start: start.fields[name], theirs: theirs.fields[name], mine: mine[name] };
    const theyChanged = isIban ? start.ibanVersion !== theirs.ibanVersion : row.start !== row.theirs;
    const iChanged = isIban ? !(input.keepsIban || (!row.start && !row.mine)) : row.start !== row.mine;
    // The browser does not have the IBAN behind a masked one, and the form cannot send fields that it does not have.
    const isFixed = (isIban && input.keepsIban) || (row.mine === undefined && !formNames.has(name));
    const isSame = isIban ? !theyChanged && !iChanged : row.theirs === row.mine;
    const isKind = areKindsDifferent && [...streetFields, ...boxFields].includes(name);
    return {
      ...row,
      group: isKind ? 'kind' : name,
      choice: isFixed || isSame ? undefined : 'open',
      suggestion: isKind || theyChanged === iChanged ? undefined : theyChanged ? 'theirs' : 'mine',
    };
  });
}

/** Takes each field from the side that the person chose. Fields without a choice are the same, or theirs. */
export function merge(
  kind: EditKind,
  theirs: StoredValue,
  input: Input,
  sides: Readonly<Record<string, Side | undefined>>,
): Input {
  const base = inputOf(theirs);
  const sent = sentFields(kind, input);
  const mine = Object.entries(sides).filter(([, side]) => side === 'mine');
  const fields: Record<string, string> = { ...base.fields };
  let { isBox, keepsIban } = base;
  for (const [group] of mine) {
    const names = group === 'kind' ? [...streetFields, ...boxFields] : [group];
    for (const name of names) fields[name] = sent[name] ?? '';
    if (names.includes('postOfficeBox')) ({ isBox } = input);
    if (group === 'iban') keepsIban = false;
  }
  return { fields, isBox, keepsIban };
}

const formNames = new Set([...streetFields, ...boxFields, ...placeFields, ...bankFields]);

/** What is sent, with the masked IBAN in the place of the one that the backend adds. */
function shownFields(kind: EditKind, stored: StoredValue, input: Input): Fields {
  const iban = input.keepsIban ? stored.fields['iban'] : undefined;
  return { ...sentFields(kind, input), ...(iban !== undefined && { iban }) };
}

/** Known names in the order of the forms, and then the others. */
function namesOf(...values: readonly Fields[]): string[] {
  const names = new Set(values.flatMap((fields) => Object.keys(fields)));
  return [...formNames].filter((name) => names.has(name)).concat([...names].filter((name) => !formNames.has(name)));
}

function changeOf(before: string | undefined, after: string | undefined): Row['change'] {
  if (before === after) return 'unchanged';
  if (before === undefined) return 'added';
  return after === undefined ? 'discarded' : 'changed';
}
