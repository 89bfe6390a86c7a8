import { Alert, Button, Checkbox, Group, Radio, Stack, TagsInput, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { bff, type BffError } from '../shell/bff.ts';
import { Dialog } from '../components/dialog.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import { areEqualGrants, grantsOf, PARTLY_CHANGED, type ClientGrants } from './client-grants.ts';
import { GrantReview } from './grant-review.tsx';
import { messages } from './messages.ts';
import { operationNames, operationText, systemText } from './operation-text.ts';
import type { ClientRow, ClientsSection, Grantable } from './system-routes.ts';
import styles from './system.module.css';

interface GrantDialogProps {
  readonly client: ClientRow;
  readonly data: ClientsSection;
  readonly close: () => void;
}

type ListName = 'operations' | 'systems' | 'fields';

/** Changes what a client may use and see, after a review of what it gains and loses. */
export function GrantDialog({ client, data, close }: GrantDialogProps): ReactNode {
  const texts = useMessages(messages);
  const text = texts.grants;
  const names = useMessages(operationNames);
  const queries = useQueryClient();
  const stored = grantsOf(client, client.customFields);
  const [opened] = useState(stored);
  const [after, setAfter] = useState(opened);
  const [isReviewed, setIsReviewed] = useState(false);
  const [isSaving, setIsSaving] = useState(false);
  const [error, setError] = useState<BffError | undefined>();
  const faults = faultsOf(after, data, texts, names);
  const step = useRef<HTMLDivElement>(null);
  const shownStep = useRef(isReviewed);
  useEffect(() => {
    if (shownStep.current !== isReviewed) step.current?.focus();
    shownStep.current = isReviewed;
  }, [isReviewed]);
  // Then the person reviews what is missing, instead of what was to be changed.
  const isUncertain = error?.problem.code === 'outcome-unknown';
  const before = isUncertain ? stored : opened;
  const isChanged = !areEqualGrants(before, after);

  async function save(): Promise<void> {
    setIsSaving(true);
    setError(undefined);
    try {
      await bff.post('system/grants', { clientId: client.clientId, before, after });
      notifications.show({ message: text.saved(client.name) });
      close();
    } catch (caught) {
      setError(caught as BffError);
    } finally {
      await queries.invalidateQueries();
      setIsSaving(false);
    }
  }

  return (
    <Dialog title={text.title(client.name)} size="xl" close={close}>
      <Stack>
        {client.isOwn && (
          <Alert variant="outline" color="yellow">
            {text.own}
          </Alert>
        )}
        <div ref={step} tabIndex={-1} role="group" aria-label={isReviewed ? text.review : text.choose}>
          {isReviewed ? (
            <GrantReview before={before} after={after} data={data} />
          ) : (
            <GrantForm grants={after} data={data} onChange={setAfter} />
          )}
        </div>
        <div aria-live="polite">
          {!isReviewed &&
            faults.map((fault) => (
              <Text key={fault} c="var(--mantine-color-error)">
                {fault}
              </Text>
            ))}
        </div>
        {error && <GrantFailure error={error} isSaved={!isChanged} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={isReviewed && !isUncertain ? () => setIsReviewed(false) : close}>
            {isUncertain ? text.close : isReviewed ? text.back : text.cancel}
          </Button>
          {isReviewed ? (
            <Button loading={isSaving} disabled={!isChanged} onClick={() => void save()}>
              {text.save}
            </Button>
          ) : (
            <Button disabled={!isChanged || faults.length > 0} onClick={() => setIsReviewed(true)}>
              {text.review}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

interface GrantFailureProps {
  readonly error: BffError;
  /** Whether the service has all of the change. */
  readonly isSaved: boolean;
}

function GrantFailure({ error, isSaved }: GrantFailureProps): ReactNode {
  const text = useMessages(messages).grants;
  const { problems } = useMessages(shared);
  const { code, errors } = error.problem;
  const fault = errors?.find(({ pointer }) => pointer === '');
  const reason = fault?.detail;
  if (code === 'outcome-unknown') {
    return (
      <Alert
        role="alert"
        color="red"
        variant="outline"
        title={fault?.code === PARTLY_CHANGED ? text.partly : problems[code]}
      >
        {reason !== undefined && <Text lang="en">{reason}</Text>}
        <Text>{isSaved ? text.allSaved : text.rest}</Text>
      </Alert>
    );
  }
  if (code === 'conflict') {
    return (
      <Alert role="alert" color="red" variant="outline">
        {text.conflict}
      </Alert>
    );
  }
  if (code !== 'rejected' || reason === undefined) return <Failure error={error} />;
  return (
    <Alert role="alert" color="red" variant="outline" title={text.rejected}>
      <span lang="en">{reason}</span>
    </Alert>
  );
}

interface GrantFormProps {
  readonly grants: ClientGrants;
  readonly data: ClientsSection;
  readonly onChange: (grants: ClientGrants) => void;
}

function GrantForm({ grants, data, onChange }: GrantFormProps): ReactNode {
  const { grants: text, clients } = useMessages(messages);
  const names = useMessages(operationNames);
  const options: Readonly<Record<ListName, readonly { readonly value: string; readonly label: string }[]>> = {
    operations: data.operations.map(({ name }) => ({ value: name, label: operationText(names, name) })),
    systems: data.systems.map((name) => ({ value: name, label: systemText(clients.systemNames, name) })),
    fields: data.fields.filter(({ name }) => name !== 'id').map(({ name }) => ({ value: name, label: name })),
  };
  return (
    <Stack gap="lg">
      {(['operations', 'systems', 'fields'] as const).map((list) => (
        <Stack key={list} gap="xs">
          <Radio.Group
            label={clients[list]}
            labelProps={{ fw: 600, mb: 4 }}
            value={grants[list] === null ? 'all' : 'some'}
            onChange={(choice) =>
              onChange({ ...grants, [list]: choice === 'all' ? null : options[list].map(({ value }) => value) })
            }
          >
            <Group>
              <Radio value="all" label={text.all} />
              <Radio value="some" label={text.some} />
            </Group>
          </Radio.Group>
          {grants[list] !== null && (
            <Checkbox.Group value={[...grants[list]]} onChange={(chosen) => onChange({ ...grants, [list]: chosen })}>
              <div className={styles['cards']} role="group" aria-label={clients[list]}>
                {options[list].map(({ value, label }) => (
                  <Checkbox key={value} value={value} label={label} />
                ))}
              </div>
            </Checkbox.Group>
          )}
        </Stack>
      ))}
      <TagsInput
        label={clients.customFields}
        description={text.customFieldsText}
        data={[...data.customFields]}
        value={[...grants.customFields]}
        onChange={(customFields) => onChange({ ...grants, customFields })}
        splitChars={[]}
        maxTags={500}
        clearButtonProps={{ 'aria-label': text.clear }}
      />
    </Stack>
  );
}

/** What is wrong with the choice: the service would reject it. */
function faultsOf(
  { operations, systems, fields }: ClientGrants,
  data: ClientsSection,
  texts: (typeof messages)['en'],
  names: Readonly<Record<string, string>>,
): string[] {
  const { grants: text, clients } = texts;
  const isEmpty = [operations, systems, fields].some((list) => list?.length === 0);
  const missing = (granted: readonly string[] | null, table: readonly Grantable[], label: (name: string) => string) =>
    table.flatMap(({ name, system }) =>
      system !== undefined && granted?.includes(name) && systems !== null && !systems.includes(system)
        ? [text.needsSystem(label(name), systemText(clients.systemNames, system))]
        : [],
    );
  return [
    ...(isEmpty ? [text.empty] : []),
    ...missing(operations, data.operations, (name) => operationText(names, name)),
    ...missing(fields, data.fields, (name) => name),
  ];
}
