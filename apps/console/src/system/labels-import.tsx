import type { Label } from '@hr/text/labels';
import { Button, FileButton, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconUpload } from '@tabler/icons-react';
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useRef, type ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Failure } from '../components/page.tsx';
import type { LabelChange } from '../model/labels.ts';
import { bff, readAgain, type BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import type { LabelsCheck } from './labels-routes.ts';
import { messages } from './messages.ts';

const MAX_LINES = 100;

/** Saves changes of the dictionary, unless another person changed the same entries meanwhile. */
export function useSaveLabels(): UseMutationResult<void, BffError, readonly LabelChange[]> {
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
export function LabelsImport(): ReactNode {
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
