import { Text } from '@mantine/core';
import type { LabelKind } from '@hr/text/labels';
import type { ReactNode } from 'react';
import type { Author, ReplacedValue } from '../backend/change-authors.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { personTexts } from './person-texts.ts';

type Names = Readonly<Record<string, string>>;

/** The fields whose values are keys of the dictionary. */
const keyKinds: Readonly<Record<string, LabelKind>> = {
  groups: 'group',
  legalEntity: 'legalEntity',
  personGroupCode: 'personGroup',
  exitReasonId: 'exitReason',
};
const MAX_VALUES = 8;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** Returns functions for the texts of an author: the name, by which way, and what they did. */
export function useAuthorTexts(): Readonly<Record<'nameOf' | 'wayOf', (author: Author) => string>> & {
  readonly operationOf: (operation: string) => string;
} {
  const text = useMessages(messages);
  const operations: Names = text.operations;
  const { systems: names } = useMessages(personTexts);
  const format = useFormat();
  return {
    nameOf: ({ name = text.thisConsole }) => (name === 'command line' ? text.commandLine : name),
    wayOf: ({ way, systems }) =>
      systems.length === 0 ? text.ways[way] : text.importOf(format.list(systems.map((system) => names[system]))),
    operationOf: (operation) => operations[operation] ?? operation,
  };
}

/** Returns a function for the names of fields of a person. */
export function useFieldNames(): (fields: readonly string[]) => string {
  const format = useFormat();
  const { fields: names }: { readonly fields: Names } = useMessages(personTexts);
  return (fields) => format.list(fields.map((field) => names[field] ?? field));
}

/** Values that a change replaced, one below the other. */
export function ChangedValues({ values }: { readonly values: readonly ReplacedValue[] }): ReactNode {
  const text = useMessages(messages);
  const words = useMessages(personTexts);
  const format = useFormat();
  const { nameOf: nameOfKey } = useLabels();
  const nameOf = ([field = '', ...within]: readonly string[]): string => {
    if (within.length === 0) return (words.fields as Names)[field] ?? field;
    if (field === 'customFields') return within[0] ?? '';
    const names = { ...words.address, ...words.bankDetails, ...words.employments } as Names;
    return within.map((name) => names[name] ?? name).join(', ');
  };
  const shown = (path: readonly string[], value: ReplacedValue['now']): string => {
    const kind = keyKinds[path.at(-1) ?? ''];
    if (kind && typeof value === 'string')
      return value
        .split(', ')
        .map((key) => nameOfKey(kind, key))
        .join(', ');
    if (typeof value === 'number') return format.number(value);
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (value !== undefined && DATE.test(value)) return format.date(value);
    return (words.genders as Names)[value ?? ''] ?? (value || DASH);
  };
  return (
    <>
      {values.slice(0, MAX_VALUES).map(({ path, before, now, isShared }) => (
        <Text key={JSON.stringify([path, before, now])} span display="block" size="sm">
          {nameOf(path)}: <bdi>{shown(path, before)}</bdi> → <bdi>{shown(path, now)}</bdi>
          {isShared && ` (${text.together})`}
        </Text>
      ))}
      {values.length > MAX_VALUES && (
        <Text span display="block" size="sm">
          {text.moreValues(format.number(values.length - MAX_VALUES))}
        </Text>
      )}
    </>
  );
}
