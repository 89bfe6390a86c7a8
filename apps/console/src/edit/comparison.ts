import { compactIban } from '@hr/text/iban';
import type { EditKind, Fields, StoredValue } from './stored-value.ts';

/** What a person entered. */
export interface Input {
  /** A masked IBAN stands for the stored one, which the browser does not have. It is stored again. */
  readonly fields: Fields;
  /** Whether an address is a post-office box. Fields of the other form stay here, and are not sent. */
  readonly isBox: boolean;
}

/** Who a field is taken from in a conflict. */
export type Side = 'theirs' | 'mine';
/** A field in a conflict. */
export type ConflictRow = ReturnType<typeof compareThree>[number];

const streetFields = ['street', 'houseNumber'];
const boxFields = ['postOfficeBox'];
const placeFields = ['additionalAddressInfo', 'zipCode', 'city', 'country', 'stateCode'];
const bankFields = ['iban', 'bic', 'payee'];
/** Those that an address has by its kind. */
const kindFields = [...streetFields, ...boxFields];
const formNames = new Set([...kindFields, ...placeFields, ...bankFields]);

export function inputOf({ fields }: StoredValue): Input {
  return { fields, isBox: fields['postOfficeBox'] !== undefined };
}

/** Whether an IBAN is a masked one. */
export function isMasked(iban: string | undefined): boolean {
  return iban?.includes('•') ?? false;
}

/** The names of the fields of a form, in its order. */
export function formFields(kind: EditKind, { isBox }: Pick<Input, 'isBox'>): readonly string[] {
  if (kind === 'bankDetails') return bankFields;
  return [...(isBox ? boxFields : streetFields), ...placeFields];
}

/** A value without the spaces around it. An IBAN is copied from letters with spaces inside, too. */
export function cleaned(name: string, value: string): string {
  return name === 'iban' && !isMasked(value) ? compactIban(value) : value.trim();
}

/** The fields to send: those of the form that have a value. */
export function sentFields(kind: EditKind, input: Input): Fields {
  const fields = formFields(kind, input).map((name) => [name, cleaned(name, input.fields[name] ?? '')] as const);
  return Object.fromEntries(fields.filter(([name, value]) => value !== '' && !(name === 'iban' && isMasked(value))));
}

/** Compares what is stored with what is sent, field by field. */
export function compare(kind: EditKind, stored: StoredValue, input: Input) {
  const fields = shownFields(kind, stored, input);
  return namesOf(stored.fields, fields).map((name) => {
    const [before, after] = [stored.fields[name], fields[name]];
    return { name, before, after, change: changeOf(before, after) };
  });
}

type FieldChange = 'unchanged' | 'added' | 'discarded' | 'changed';

function changeOf(before: string | undefined, after: string | undefined): FieldChange {
  if (before === after) return 'unchanged';
  if (before === undefined) return 'added';
  return after === undefined ? 'discarded' : 'changed';
}

export function isChanged(kind: EditKind, stored: StoredValue, input: Input): boolean {
  return compare(kind, stored, input).some(({ change }) => change !== 'unchanged');
}

/** Compares what a person started from, what is stored now, and what the person entered. */
export function compareThree(kind: EditKind, start: StoredValue, theirs: StoredValue, input: Input) {
  const mine = shownFields(kind, start, input);
  const areKindsDifferent = input.isBox !== (theirs.fields['postOfficeBox'] !== undefined);
  return namesOf(start.fields, theirs.fields, mine).map((name) => {
    const row = { name, start: start.fields[name], theirs: theirs.fields[name], mine: mine[name] };
    // Two masked IBANs stand for different accounts.
    const theyChanged = name === 'iban' ? start.ibanVersion !== theirs.ibanVersion : row.start !== row.theirs;
    const iChanged = row.start !== row.mine;
    const isSame = name === 'iban' ? !theyChanged && !iChanged : row.theirs === row.mine;
    // The browser does not have the IBAN behind a masked one, and the form cannot send fields that it does not have.
    const isFixed = name === 'iban' ? isMasked(row.mine) : row.mine === undefined && !formNames.has(name);
    const isKind = areKindsDifferent && kindFields.includes(name);
    const changedBy: Side = theyChanged ? 'theirs' : 'mine';
    return {
      ...row,
      theyChanged,
      /** Fields of a group are chosen together. */
      group: isKind ? 'kind' : name,
      /** Whether there is something to choose. */
      isOpen: !isFixed && !isSame,
      /** The side that changed the field, if only one did. */
      suggestion: isKind || theyChanged === iChanged ? undefined : changedBy,
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
  const sent = sentFields(kind, input);
  const mine = Object.keys(sides)
    .filter((group) => sides[group] === 'mine')
    .flatMap((group) => (group === 'kind' ? kindFields : group));
  return {
    fields: { ...theirs.fields, ...Object.fromEntries(mine.map((name) => [name, sent[name] ?? ''])) },
    isBox: (mine.includes('postOfficeBox') ? input : inputOf(theirs)).isBox,
  };
}

/** What is stored after a save, as the browser may see it. */
function shownFields(kind: EditKind, stored: StoredValue, input: Input): Fields {
  const iban = isMasked(input.fields['iban']) ? stored.fields['iban'] : undefined;
  return { ...sentFields(kind, input), ...(iban !== undefined && { iban }) };
}

/** Known names in the order of the forms, and then the others. */
function namesOf(...values: readonly Fields[]): string[] {
  const names = new Set(values.flatMap((fields) => Object.keys(fields)));
  return [...formNames].filter((name) => names.has(name)).concat([...names].filter((name) => !formNames.has(name)));
}
