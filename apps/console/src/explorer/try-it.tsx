import { Alert, Box, Button, Code, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { IconAlertTriangle, IconPlayerPlay } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { bff } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { Facts } from '../components/facts.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import { CopyAs } from '../components/copy-as.tsx';
import { ButtonLink } from '../components/link.tsx';
import { DateInput } from '../components/date-input.tsx';
import type { DescribedOperation } from './described-operations.ts';
import classes from './explorer.module.css';
import { messages } from './messages.ts';
import { RequestId, StatusText } from './call-list.tsx';
import type { TriedCall } from './run-operation.ts';

/** The screens that make the changes. */
const screens = { Persons: 'people', Payroll: 'payments', Time: 'time', Changes: 'system' } as const;

type Values = Readonly<Record<string, string>>;

/** A form with the parameters of an operation. The backend runs the call if it changes nothing. */
export function TryIt({ operation }: { readonly operation: DescribedOperation }): ReactNode {
  const text = useMessages(messages);
  const names = useMessages(shared);
  const navigate = useNavigate();
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const parameters = operation.parameters.filter(({ place }) => place !== 'header');
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(parameters.map(({ name }) => [name, search[name] ?? ''])),
  );
  const given = (of: 'path' | 'query'): Values =>
    Object.fromEntries(
      parameters.flatMap(({ name, place }) => (place === of && values[name] ? [[name, values[name]]] : [])),
    );
  const [path, query] = [given('path'), given('query')];
  const request = { operation: operation.id, path, query, body: operation.bodyExample };
  const isComplete = parameters.every(({ name, required }) => !required || values[name]);
  const screen = screens[operation.tag];
  const isRead = operation.method === 'GET';
  const call = useMutation({
    mutationFn: () => bff.get<TriedCall>('explorer/call', { operation: operation.id, ...path, ...query }),
  });

  const change = (name: string, value: string): void => {
    const changed = { ...values, [name]: value };
    setValues(changed);
    const kept = Object.fromEntries(Object.entries(changed).filter(([, each]) => each !== ''));
    // The address can be shared, and says which call it is.
    void navigate({ to: '/api', search: { operation: operation.id, ...kept }, replace: true, resetScroll: false });
  };

  return (
    <Box component="section" className="panel" p="md">
      <Title order={3}>{text.tryIt}</Title>
      <Text c="dimmed" size="sm" mb="sm">
        {isRead ? text.tryNote : text.changes}
      </Text>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          call.mutate();
        }}
      >
        <div className={classes['fields']}>
          {parameters.map(({ name, required, type, bounds }) => {
            const kind = dateKind(type, bounds);
            const field = { label: name, required, value: values[name] ?? '', autoComplete: 'off' };
            return kind ? (
              <DateInput key={name} {...field} kind={kind} size="sm" w="100%" onChange={(to) => change(name, to)} />
            ) : (
              <TextInput key={name} {...field} onChange={({ currentTarget }) => change(name, currentTarget.value)} />
            );
          })}
        </div>
        <Group mt={parameters.length > 0 ? 'sm' : 0} gap="xs">
          {isRead ? (
            <Button
              type="submit"
              size="xs"
              loading={call.isPending}
              leftSection={<IconPlayerPlay size={14} aria-hidden />}
            >
              {text.run}
            </Button>
          ) : (
            <ButtonLink variant="default" to={`/${screen}`}>
              {text.open(names[screen])}
            </ButtonLink>
          )}
          {isComplete ? (
            <CopyAs request={request} />
          ) : (
            <Text c="dimmed" size="sm">
              {text.fillIn}
            </Text>
          )}
        </Group>
      </form>
      <Box aria-live="polite">
        {call.error && (
          <Box mt="md">
            <Failure error={call.error} />
          </Box>
        )}
        {call.data && <Result call={call.data} />}
      </Box>
    </Box>
  );
}

function Result({ call }: { readonly call: TriedCall }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { status, requestId, durationMs, response, failure } = call;
  return (
    <Stack gap="xs" mt="md">
      <Facts
        facts={[
          [text.status, <StatusText key="status" status={status} />],
          [text.duration, `${format.number(Math.round(durationMs))} ms`],
          [text.elements, response && format.number(response.count)],
          [text.requestId, requestId !== undefined && <RequestId key="id" id={requestId} />],
        ]}
      />
      {failure && (
        <Alert
          color="red"
          variant="outline"
          icon={<IconAlertTriangle aria-hidden />}
          title={text.failure(failure.code)}
          lang="en"
        >
          {failure.title}
          {failure.errors.map(({ pointer, code }) => (
            <Text key={pointer + String(code)}>{`${pointer}: ${code ?? ''}`}</Text>
          ))}
        </Alert>
      )}
      {response?.count === 0 && <Text c="dimmed">{text.nothing}</Text>}
      {response && response.count > response.elements.length && (
        <Text c="dimmed">{text.firstElements(response.elements.length)}</Text>
      )}
      {response && response.count > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls needs the keyboard
        <section className={classes['code']} tabIndex={0} aria-label={text.response}>
          <Code block>{JSON.stringify(response.elements, undefined, 2)}</Code>
        </section>
      )}
    </Stack>
  );
}

function dateKind(type: string, bounds: readonly string[]): 'date' | 'month' | undefined {
  if (type === 'date') return 'date';
  return bounds.some((bound) => bound.startsWith(String.raw`^\d{4}-`)) ? 'month' : undefined;
}
