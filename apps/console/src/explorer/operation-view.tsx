import { Badge, Box, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { DescribedOperation, DescribedValue, SchemaField } from './described-operations.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { TryIt } from './try-it.tsx';

/** An operation of the API: what the specification says of it, and a form to try it. */
export function OperationView({ operation }: { readonly operation: DescribedOperation }): ReactNode {
  const text = useMessages(messages);
  const { method, path, summary, description, section, timeComponent, isExtension, isList } = operation;
  const { parameters, body, bodyExample, responses } = operation;
  const facts = [
    isExtension ? text.extension : text.section(section),
    ...(timeComponent === undefined ? [] : [text.timeComponent(timeComponent)]),
  ];
  const responseText = isList ? text.listOf : (name: string): string => name;
  return (
    <Stack gap="lg">
      <Box>
        <Title order={2} lang="en">
          {summary}
        </Title>
        <Group gap={8} mt={4} align="baseline" wrap="nowrap">
          <Text span fw={700} ff="monospace">
            {method}
          </Text>
          <span className={classes['path']}>{path}</span>
        </Group>
        <Group gap={6} mt={8}>
          {facts.map((fact) => (
            <Badge key={fact} c="dimmed" fw={500}>
              {fact}
            </Badge>
          ))}
        </Group>
        <Text mt="sm" maw={800} lang="en">
          {withCode(description)}
        </Text>
      </Box>
      <TryIt operation={operation} />
      <Section title={text.parameters}>
        {parameters.length === 0 && <Text c="dimmed">{text.noParameters}</Text>}
        <ul className={classes['tree']}>
          {parameters.map((parameter) => (
            <li key={parameter.name}>
              <ValueLine {...parameter} />
            </li>
          ))}
        </ul>
      </Section>
      {body && (
        <Section title={`${text.body}: ${body.name}`}>
          <SchemaList fields={body.fields} />
          <Text fw={600} mt="sm" mb={4}>
            {text.example}
          </Text>
          <Code block>{JSON.stringify(bodyExample, undefined, 2)}</Code>
        </Section>
      )}
      {responses.map(({ name, fields }, place) => (
        <Section key={name} title={`${text.response}: ${place > 0 ? text.changesOf(name) : responseText(name)}`}>
          <SchemaList fields={fields} />
        </Section>
      ))}
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Box component="section" className="panel" p="md">
      <Title order={3} mb="xs">
        {title}
      </Title>
      {children}
    </Box>
  );
}

/** The fields of a model, with the fields in them. Their sentences are those of the specification. */
function SchemaList({ fields }: { readonly fields: readonly SchemaField[] }): ReactNode {
  return (
    <ul className={classes['tree']}>
      {fields.map((field) => (
        <li key={field.name}>
          <ValueLine {...field} />
          {field.fields.length > 0 && <SchemaList fields={field.fields} />}
        </li>
      ))}
    </ul>
  );
}

/** A field or a parameter: its name, its type and bounds, and what it means. */
function ValueLine(value: DescribedValue): ReactNode {
  const { name, wireName, place, type, bounds, required, deprecated, description } = value;
  const text = useMessages(messages);
  const facts = [
    place && text.places[place],
    wireName !== undefined && wireName !== name && text.inUrl(wireName),
    type,
    ...bounds,
    deprecated && text.deprecated,
  ];
  return (
    <>
      <Text component="span" fw={600} ff="monospace" td={deprecated ? 'line-through' : undefined}>
        {name}
      </Text>{' '}
      <Text component="span" c="dimmed">
        {facts.filter(Boolean).join(' · ')}
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
function withCode(sentence: string): ReactNode {
  return sentence.split('`').map((part, place) =>
    // The parts never change their places.
    // oxlint-disable-next-line react/no-array-index-key
    place % 2 === 0 ? part : <Code key={place}>{part}</Code>,
  );
}
