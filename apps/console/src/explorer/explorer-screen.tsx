import { Badge, Box, Code, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useScreen } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Page, ScreenState } from '../components/page.tsx';
import { SectionTabs } from '../components/section-tabs.tsx';
import { CallList } from './call-list.tsx';
import type { DescribedOperation, DescribedValue, SchemaField } from './described-operations.ts';
import type { ExplorerScreen as Data } from './explorer-routes.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { TryIt } from './try-it.tsx';

interface Search {
  readonly view?: string;
  readonly operation?: string;
}

/** The operations of the API, and the last calls of the console. `/api?operation=listAbsences&personId=1` is a call. */
export function ExplorerScreen(): ReactNode {
  const text = useMessages(messages);
  const title = useMessages(shared).api;
  const navigate = useNavigate();
  const search: Search = useSearch({ strict: false });
  const mayTry = useScreen<Data>('explorer', {}, { kinds: [] }).data?.mayTry ?? true;
  const { operations, calls } = text.tabs;
  const view = mayTry && search.view === 'calls' ? 'calls' : 'operations';
  return (
    <Page title={title} description={mayTry ? text.description : text.mayNotTry}>
      <SectionTabs
        label={title}
        titles={mayTry ? { operations, calls } : { operations }}
        chosen={view}
        choose={(name) => void navigate({ to: '/api', search: name === 'calls' ? { view: name } : {} })}
      >
        {view === 'calls' ? <CallList /> : <Operations />}
      </SectionTabs>
    </Page>
  );
}

function Operations(): ReactNode {
  const text = useMessages(messages);
  const query = useScreen<Data>('explorer', {}, { kinds: [] });
  const search: Search = useSearch({ strict: false });
  const { operations = [], mayTry = false } = query.data ?? {};
  const current = operations.find(({ id }) => id === search.operation) ?? operations[0];
  const outline = (
    <div className={classes['columns']}>
      <Skeleton h={320} />
      <Skeleton h={480} />
    </div>
  );
  return (
    <ScreenState query={query} skeleton={outline}>
      {() => (
        <div className={classes['columns']}>
          <nav aria-label={text.tabs.operations} className={classes['operations']}>
            {Object.entries(text.tags).map(([tag, name]) => (
              <div key={tag}>
                <Title order={2} size="h3" c="dimmed">
                  {name}
                </Title>
                <ul>
                  {operations
                    .filter((operation) => operation.tag === tag)
                    .map(({ id, method }) => (
                      <li key={id}>
                        <Link
                          to="/api"
                          search={{ operation: id }}
                          resetScroll={false}
                          className={classes['operation']}
                          activeProps={{ 'aria-current': undefined }}
                          aria-current={id === current?.id ? 'page' : undefined}
                        >
                          <span className={classes['method']}>{method}</span>
                          {id}
                        </Link>
                      </li>
                    ))}
                </ul>
              </div>
            ))}
          </nav>
          {current && <OperationView key={current.id} operation={current} mayTry={mayTry} />}
        </div>
      )}
    </ScreenState>
  );
}

interface OperationViewProps {
  readonly operation: DescribedOperation;
  readonly mayTry: boolean;
}

/** An operation of the API: what the specification says of it, and a form to try it. */
function OperationView({ operation, mayTry }: OperationViewProps): ReactNode {
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
      {mayTry && <TryIt operation={operation} />}
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
