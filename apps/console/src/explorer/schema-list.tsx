import { Code, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import type { SchemaField } from './schema-tree.ts';

/** The fields of a model, with the fields in them. Their sentences are those of the specification. */
export function SchemaList({ fields }: { readonly fields: readonly SchemaField[] }): ReactNode {
  return (
    <ul className={classes['tree']}>
      {fields.map((field) => (
        <li key={field.name}>
          <FieldLine {...field} />
          {field.fields.length > 0 && <SchemaList fields={field.fields} />}
        </li>
      ))}
    </ul>
  );
}

type FieldLineProps = Pick<SchemaField, 'name' | 'type' | 'bounds' | 'required' | 'description'> & {
  readonly deprecated?: boolean;
  /** Where it is, beside its type. */
  readonly place?: string;
};

/** A field or a parameter: its name, its type and bounds, and what it means. */
export function FieldLine({ name, type, bounds, required, deprecated, description, place }: FieldLineProps): ReactNode {
  const text = useMessages(messages);
  return (
    <>
      <Text component="span" fw={600} ff="monospace" td={deprecated ? 'line-through' : undefined}>
        {name}
      </Text>{' '}
      <Text component="span" c="dimmed">
        {[place, type, ...bounds, deprecated && text.deprecated].filter(Boolean).join(' · ')}
        {required && (
          <>
            {' · '}
            <b>{text.required}</b>
          </>
        )}
      </Text>
      {description !== undefined && (
        <Text lang="en" c="dimmed" size="sm">
          {withCode(description)}
        </Text>
      )}
    </>
  );
}

/** A sentence of the specification, in which backticks mark names. */
export function withCode(sentence: string): ReactNode {
  return sentence.split('`').map((part, place) =>
    // The parts never change their places.
    // oxlint-disable-next-line react/no-array-index-key
    place % 2 === 0 ? part : <Code key={place}>{part}</Code>,
  );
}
