import { matches, searchableText, searchWords } from '@hr/client/search';
import { Button, Group, Skeleton, Stack, TextInput } from '@mantine/core';
import { labelKinds, type Label } from '@hr/text/labels';
import { IconDownload } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { FilterSelect } from '../components/filter-select.tsx';
import { ScreenState } from '../components/page.tsx';
import { ScrollTable } from '../components/scroll-table.tsx';
import { useScreen } from '../shell/bff.ts';
import { DASH, useFormat } from '../shell/format.ts';
import { useLocale, useMessages } from '../shell/locale.tsx';
import { useSearchOf } from '../shell/search.ts';
import { useRole } from '../shell/session.ts';
import { LabelsImport, useSaveLabels } from './labels-import.tsx';
import { messages } from './messages.ts';
import type { LabelEntry } from './labels-routes.ts';
import type { SystemSearch } from './system-search.ts';
import styles from './system.module.css';

const PAGE_ROWS = 100;
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
        <Button
          variant="default"
          size="xs"
          leftSection={<IconDownload size={14} aria-hidden />}
          component="a"
          href={`/bff/labels/csv?locale=${locale}`}
          download
        >
          {text.export}
        </Button>
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
