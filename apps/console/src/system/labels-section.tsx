import { matches, searchableText, searchWords } from '@hr/client/search';
import { labelKinds, type Label } from '@hr/text/labels';
import { Button, FileButton, Group, List, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { FilterSelect } from '../components/filter-select.tsx';
import { DownloadButton } from '../components/link.tsx';
import { Failure, ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import type { LabelChange } from '../model/labels.ts';
import { bff, readAgain, useScreen, type BffError } from '../shell/bff.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import { useSearchOf } from '../shell/search.ts';
import { useRole } from '../shell/session.ts';
import type { LabelEntry, LabelsCheck } from './labels-routes.ts';
import { messages } from './messages.ts';
import type { SystemSearch } from './system-search.ts';
import styles from './system.module.css';

const PAGE_ROWS = 100;
const MAX_LINES = 100;
const keyOf = ({ kind, key }: LabelEntry): string => `${kind} ${key}`;
const textNames = ['en', 'de', 'color'] as const;
type TextName = (typeof textNames)[number];

/** The dictionary: all keys with their names, and those that have none yet. */
export function LabelsSection(): ReactNode {
  const text = useMessages(messages).labels;
  const format = useFormat();
  const { locale } = useLocale();
  const isAdministrator = useRole('administrator');
  const query = useScreen<readonly LabelEntry[]>('labels/entries', {}, { kinds: ['labels', 'persons', 'payments'] });
  const [{ q = '', kind }, change] = useSearchOf<SystemSearch>();
  const [rows, setRows] = useState(PAGE_ROWS);
  const entries = query.data ?? [];
  const words = searchWords(q);
  const shown = entries.filter(
    ({ kind: of, key: name, label }) =>
      (kind === undefined || (kind === 'unnamed' ? label === null : kind === of)) &&
      matches(searchableText(`${name} ${label?.en ?? ''} ${label?.de ?? ''}`), words),
  );
  // One that the console did not see in the data can be named, too.
  const other = q.trim();
  const isOther = kind !== undefined && kind !== 'unnamed' && other !== '' && shown.every(({ key }) => key !== other);
  if (isAdministrator && isOther) shown.unshift({ kind, key: other, uses: 0, label: null });

  return (
    <Stack gap="md">
      <Group component="search" align="end" gap="sm">
        <TextInput
          size="xs"
          type="search"
          label={text.search}
          value={q}
          onChange={({ currentTarget }) => change({ q: currentTarget.value || undefined })}
        />
        <FilterSelect
          label={text.kind}
          all={text.allKinds}
          choices={[
            { value: 'unnamed', label: text.unnamed(format.number(entries.filter(({ label }) => !label).length)) },
            ...labelKinds.map((value) => ({ value, label: text.kinds[value] })),
          ]}
          value={kind}
          onChange={(value) => change({ kind: value as SystemSearch['kind'] })}
        />
        {isAdministrator && <LabelsImport />}
        <DownloadButton path="labels/csv" query={{ locale }}>
          {text.export}
        </DownloadButton>
      </Group>
      <ScreenState query={query} skeleton={<Skeleton h={480} />}>
        {() => (
          <>
            <ScrollTable
              caption={text.caption}
              hidesCaption
              minWidth={860}
              rows={shown.slice(0, rows)}
              keyOf={keyOf}
              columns={[
                { header: text.key, render: ({ key }) => key },
                { header: text.kind, render: (entry) => text.kinds[entry.kind] },
                {
                  header: (
                    <div className={styles['labels']}>
                      {textNames.map((name) => (
                        <span key={name}>{text[name]}</span>
                      ))}
                    </div>
                  ),
                  render: (entry) => <Names entry={entry} isEditable={isAdministrator} />,
                },
                { header: text.uses, figures: 'end', render: ({ uses }) => (uses === 0 ? DASH : format.number(uses)) },
              ]}
              note={`${text.count(format.number(shown.length))} ${isAdministrator ? text.otherKeys : ''}`}
            />
            {shown.length > rows && (
              <Button variant="default" onClick={() => setRows(rows + PAGE_ROWS)}>
                {text.more}
              </Button>
            )}
          </>
        )}
      </ScreenState>
    </Stack>
  );
}

/** The names of a key, which are saved when the person leaves them or presses Enter. */
function Names({ entry, isEditable }: { readonly entry: LabelEntry; readonly isEditable: boolean }): ReactNode {
  const { kind, key, label } = entry;
  const text = useMessages(messages).labels;
  /** What was stored when the person began to type, and what they typed. */
  const [draft, setDraft] = useState<{ readonly before: Label | null; readonly after: Label }>();
  const save = useSaveLabels();
  const canEdit = isEditable && !save.isPending;
  const { before, after } = draft ?? { before: label, after: label ?? { kind, key, en: '', de: '', color: '' } };
  const set = (name: TextName, value: string): void => setDraft({ before, after: { ...after, [name]: value } });
  const forget = (): void => setDraft(undefined);
  const commit = (): void => {
    if (save.isPending || textNames.every((name) => after[name] === (before?.[name] ?? ''))) return;
    const isEmpty = textNames.every((name) => after[name] === '');
    save.mutate([{ before, after: isEmpty ? null : after }], {
      onSuccess: forget,
      // What the other person saved is shown.
      onError: ({ problem }) => problem.code === 'conflict' && forget(),
    });
  };
  const nameOf = (name: 'choose' | TextName): string => `${text[name]}: ${text.kinds[kind]} ${key}`;
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys of the inputs in it
    <div
      className={styles['labels']}
      onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || commit()}
      onKeyDown={({ key: pressed }) => (pressed === 'Enter' ? commit() : pressed === 'Escape' && forget())}
    >
      {textNames.map((name) => (
        <TextInput
          key={name}
          size="xs"
          aria-label={nameOf(name)}
          readOnly={!canEdit}
          value={after[name]}
          onChange={({ currentTarget }) => set(name, currentTarget.value)}
        />
      ))}
      <input
        type="color"
        aria-label={nameOf('choose')}
        disabled={!canEdit}
        value={/^#[\da-f]{6}$/.test(after.color) ? after.color : '#ffffff'}
        onChange={({ currentTarget }) => set('color', currentTarget.value)}
      />
    </div>
  );
}

/** Saves changes of the dictionary, unless another person changed the same entries meanwhile. */
function useSaveLabels(): UseMutationResult<void, BffError, readonly LabelChange[]> {
  const text = useMessages(messages).labels;
  const { problems } = useMessages(shared);
  const client = useQueryClient();
  return useMutation<void, BffError, readonly LabelChange[]>({
    mutationFn: (changes) => bff.post('labels', { changes }),
    onSuccess: () => notifications.show({ message: text.saved }),
    onError: ({ problem: { code, errors } }) => {
      const faults: Readonly<Record<string, string>> = text.faults;
      const message = faults[errors?.[0]?.code ?? code] ?? problems[code];
      notifications.show({ color: 'red', title: text.notSaved, message });
    },
    // What another person saved is read, too.
    onSettled: () => readAgain(client, 'labels'),
  });
}

/** Reads a file of names, and shows what it changes before it is saved. */
function LabelsImport(): ReactNode {
  const text = useMessages(messages).labels;
  const { save: saveText } = useMessages(shared);
  const format = useFormat();
  const again = useRef<() => void>(null);
  const check = useMutation<LabelsCheck, BffError, File>({
    mutationFn: async (file) => await bff.post('labels/check', { content: await contentOf(file) }),
    // The same file can be chosen again once it is corrected.
    onSettled: () => again.current?.(),
  });
  const save = useSaveLabels();
  const { changes = [], faults = [] } = check.data ?? {};
  const lines = faults.map(({ line, code }) => text.line(line, text.faults[code]));
  const counts = Map.groupBy(changes, kindOf);
  const count = (kind: ReturnType<typeof kindOf>): string => format.number(counts.get(kind)?.length ?? 0);
  return (
    <>
      <FileButton accept=".csv,text/csv" resetRef={again} onChange={(file) => file && check.mutate(file)}>
        {(props) => (
          <Button {...props} variant="default" size="xs" leftSection={<IconUpload size={14} aria-hidden />}>
            {text.import}
          </Button>
        )}
      </FileButton>
      {!check.isIdle && !check.isPending && (
        <Dialog
          title={text.importTitle}
          size="lg"
          close={check.reset}
          action={{
            label: saveText,
            run: () => save.mutate(changes, { onSuccess: check.reset }),
            isBusy: save.isPending,
            isDisabled: faults.length > 0 || changes.length === 0,
          }}
        >
          <Stack>
            {check.error && <Failure error={check.error} />}
            <Text>
              {lines.length > 0 ? text.hasFaults : text.counts(count('added'), count('changed'), count('removed'))}
            </Text>
            {lines.length > 0 ? (
              <Lines lines={[...new Set(lines)]} max={MAX_LINES} />
            ) : (
              <LabelChanges changes={changes} max={MAX_LINES} />
            )}
          </Stack>
        </Dialog>
      )}
    </>
  );
}

interface LabelChangesProps {
  readonly changes: readonly LabelChange[];
  readonly max: number;
}

/** Changes of the dictionary: which key, and its names and colour before and after. */
export function LabelChanges({ changes, max }: LabelChangesProps): ReactNode {
  const text = useMessages(messages).labels;
  const lines = changes.map((change) => {
    const { before, after } = change;
    // One of them is there.
    const { kind, key } = (after ?? before) as Label;
    const texts = [before, after].map((label) => label && [label.en, label.de, label.color].filter(Boolean).join(', '));
    return text[kindOf(change)](`${text.kinds[kind]} ${key}: ${texts.filter((each) => each !== null).join(' → ')}`);
  });
  return <Lines lines={lines} max={max} />;
}

function kindOf({ before, after }: LabelChange): 'added' | 'changed' | 'removed' {
  if (before === null) return 'added';
  return after === null ? 'removed' : 'changed';
}

/** The first lines of a list, and the number of the others. */
function Lines({ lines, max }: { readonly lines: readonly string[]; readonly max: number }): ReactNode {
  const { rest } = useMessages(messages);
  const format = useFormat();
  return (
    <>
      <List>
        {lines.slice(0, max).map((line) => (
          <List.Item key={line}>{line}</List.Item>
        ))}
      </List>
      {lines.length > max && <Text>{rest(format.number(lines.length - max))}</Text>}
    </>
  );
}

/** Spreadsheets write UTF-8, or the character set of Windows. */
async function contentOf(file: File): Promise<string> {
  const bytes = await file.arrayBuffer();
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
