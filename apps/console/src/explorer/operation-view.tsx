import { Badge, Box, Code, Group, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import type { DescribedModel, DescribedOperation } from './described-operations.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { FieldLine, SchemaList, withCode } from './schema-list.tsx';
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
          {parameters.map(({ wireName, place, ...parameter }) => (
            <li key={parameter.name}>
              <FieldLine
                {...parameter}
                place={
                  wireName === parameter.name ? text.places[place] : `${text.places[place]} · ${text.inUrl(wireName)}`
                }
              />
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
      {responses.map((model, place) => (
        <Section key={model.name} title={`${text.response}: ${nameOf(model, isList, place > 0)}`}>
          <SchemaList fields={model.fields} />
        </Section>
      ))}
    </Stack>
  );

  function nameOf({ name }: DescribedModel, ofList: boolean, ofChanges: boolean): string {
    if (ofChanges) return text.changesOf(name);
    return ofList ? text.listOf(name) : name;
  }
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
