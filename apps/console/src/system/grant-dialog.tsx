import { Alert, Button, Checkbox, Group, List, Radio, Stack, TagsInput, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconMinus, IconPlus } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { Dialog } from '../components/dialog.tsx';
import { Failure } from '../components/page.tsx';
import { personTexts } from '../components/person-texts.ts';
import { bff, type BffError } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { areEqualGrants, grantLists, type ClientGrants } from './client-grants.ts';
import { messages } from './messages.ts';
import { operationNames } from './operation-names.ts';
import type { ClientsSection } from './system-routes.ts';
import styles from './system.module.css';

export interface ClientProps {
  readonly client: ClientsSection['clients'][number];
  readonly data: ClientsSection;
}

/** The lists of what a client may use and see, with all that can be in them. */
export function useGrantLists(data: ClientsSection) {
  const { clients: text } = useMessages(messages);
  const operations = useMessages(operationNames);
  const { systems } = useMessages(personTexts);
  const names: Readonly<Record<string, Readonly<Record<string, string>>>> = { operations, systems };
  return grantLists.map((list) => {
    const labelOf = (name: string): string => names[list]?.[name] ?? name;
    const options = data[list].map(({ name, system }) => ({ value: name, label: labelOf(name), system }));
    return { list, title: text[list], options, labelOf };
  });
}

/** Changes what a client may use and see, after a review of what it gains and loses. */
export function GrantDialog({ client, data, close }: ClientProps & { readonly close: () => void }): ReactNode {
  const { grants: text } = useMessages(messages);
  const { systems } = useMessages(personTexts);
  const { close: closeText, cancel, save: saveText } = useMessages(shared);
  const queries = useQueryClient();
  const lists = useGrantLists(data);
  const [opened] = useState(client.grants);
  const [after, setAfter] = useState(opened);
  const [isReviewed, setIsReviewed] = useState(false);
  const step = useRef<HTMLDivElement>(null);
  const save = useMutation<void, BffError, ClientGrants>({
    mutationFn: (seen) => bff.post('system/grants', { clientId: client.clientId, before: seen, after }),
    onSuccess: () => {
      notifications.show({ message: text.saved(client.name) });
      close();
    },
    onSettled: () => queries.invalidateQueries(),
  });
  const code = save.error?.problem.code;
  // Then the person reviews what is missing, instead of what was to be changed.
  const isUncertain = code === 'outcome-unknown' || code === 'partly-changed';
  const before = isUncertain ? client.grants : opened;
  const isChanged = !areEqualGrants(before, after);
  const isEmpty = lists.some(({ list }) => list !== 'customFields' && after[list]?.length === 0);
  // The service would reject them.
  const faults = lists.flatMap(({ list, options }) =>
    options
      .filter(
        ({ value, system }) => system && after[list]?.includes(value) && after.systems?.includes(system) === false,
      )
      .map(({ label, system }) => text.needsSystem(label, system ? systems[system] : '')),
  );
  if (isEmpty) faults.unshift(text.empty);
  const hintOf = (): string | undefined => {
    if (isUncertain) return isChanged ? text.rest : text.allSaved;
    return code === 'conflict' ? text.conflict : undefined;
  };
  const show = (reviewed: boolean): void => {
    flushSync(() => setIsReviewed(reviewed));
    step.current?.focus();
  };

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
        {save.error && <Failure error={save.error} hint={hintOf()} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={isReviewed && !isUncertain ? () => show(false) : close}>
            {isUncertain ? closeText : isReviewed ? text.back : cancel}
          </Button>
          {isReviewed ? (
            <Button loading={save.isPending} disabled={!isChanged} onClick={() => save.mutate(before)}>
              {saveText}
            </Button>
          ) : (
            <Button disabled={!isChanged || faults.length > 0} onClick={() => show(true)}>
              {text.review}
            </Button>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

interface GrantFormProps {
  readonly grants: ClientGrants;
  readonly data: ClientsSection;
  readonly onChange: (grants: ClientGrants) => void;
}

function GrantForm({ grants, data, onChange }: GrantFormProps): ReactNode {
  const { grants: text, clients } = useMessages(messages);
  const lists = useGrantLists(data);
  return (
    <Stack gap="lg">
      {lists.map(({ list, title, options }) =>
        list === 'customFields' ? (
          <TagsInput
            key={list}
            label={title}
            description={text.customFieldsText}
            data={options.map(({ value }) => value)}
            value={[...grants[list]]}
            onChange={(chosen) => onChange({ ...grants, [list]: chosen })}
            splitChars={[]}
            maxTags={500}
            clearButtonProps={{ 'aria-label': text.clear }}
          />
        ) : (
          <Stack key={list} gap="xs">
            <Radio.Group
              label={title}
              labelProps={{ fw: 600, mb: 4 }}
              value={grants[list] === null ? 'all' : 'some'}
              onChange={(choice) =>
                onChange({ ...grants, [list]: choice === 'all' ? null : options.map(({ value }) => value) })
              }
            >
              <Group>
                <Radio value="all" label={clients.all(options.length)} />
                <Radio value="some" label={text.some} />
              </Group>
            </Radio.Group>
            {grants[list] !== null && (
              <Checkbox.Group value={[...grants[list]]} onChange={(chosen) => onChange({ ...grants, [list]: chosen })}>
                <div className={styles['cards']} role="group" aria-label={title}>
                  {options.map(({ value, label }) => (
                    <Checkbox key={value} value={value} label={label} />
                  ))}
                </div>
              </Checkbox.Group>
            )}
          </Stack>
        ),
      )}
    </Stack>
  );
}

interface GrantReviewProps {
  readonly before: ClientGrants;
  readonly after: ClientGrants;
  readonly data: ClientsSection;
}

/** What a client loses and gains by a change. */
function GrantReview({ before, after, data }: GrantReviewProps): ReactNode {
  const { grants: text } = useMessages(messages);
  const lists = useGrantLists(data);
  const changes = lists.map(({ list, title, options, labelOf }) => {
    const all = options.map(({ value }) => value);
    const [had, has] = [before[list] ?? all, after[list] ?? all];
    const difference = (names: readonly string[], others: readonly string[]): string[] =>
      names.filter((name) => !others.includes(name)).map(labelOf);
    // A list of all names is not the same as all: it leaves out what the service gets later.
    const isTurned = (before[list] === null) !== (after[list] === null);
    const turned = isTurned && (after[list] === null ? text.nowAll : text.noLongerAll);
    return { title, lost: difference(had, has), gained: difference(has, had), turned };
  });
  return (
    <Stack>
      <div className={styles['columns']}>
        {(['lost', 'gained'] as const).map((kind) => (
          <section key={kind} className="panel" aria-label={text[kind]}>
            <Stack p="md" gap="xs">
              <Title order={3}>{text[kind]}</Title>
              {changes.every((change) => change[kind].length === 0) && <Text c="dimmed">{text.nothing}</Text>}
              {changes
                .filter((change) => change[kind].length > 0)
                .map((change) => (
                  <div key={change.title}>
                    <Text c="dimmed">{change.title}</Text>
                    <List
                      size="md"
                      icon={kind === 'lost' ? <IconMinus size={14} aria-hidden /> : <IconPlus size={14} aria-hidden />}
                    >
                      {change[kind].map((name) => (
                        <List.Item key={name}>{name}</List.Item>
                      ))}
                    </List>
                  </div>
                ))}
            </Stack>
          </section>
        ))}
      </div>
      {changes.map(
        ({ title, turned }) =>
          turned && (
            <Text key={title}>
              {title}: {turned}
            </Text>
          ),
      )}
      <Text c="dimmed">{text.effect}</Text>
    </Stack>
  );
}
