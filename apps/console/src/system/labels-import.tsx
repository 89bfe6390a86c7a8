import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
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
import { messages } from '../shell/messages.ts';
import { LabelChanges, Lines } from './label-changes.tsx';
import { labelsMessages } from './labels-messages.ts';
import type { LabelsCheck } from './labels-routes.ts';

const MAX_LINES = 100;

/** Saves changes of the dictionary, unless another person changed the same entries meanwhile. */
export function useSaveLabels(): UseMutationResult<void, BffError, readonly LabelChange[]> {
  const text = useMessages(labelsMessages);
  const { problems } = useMessages(messages);
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
  const text = useMessages(labelsMessages);
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
  const added = changes.filter(({ before }) => before === null);
  const removed = changes.filter(({ after }) => after === null);
  const counts = [added.length, changes.length - added.length - removed.length, removed.length].map((count) =>
    format.number(count),
  );
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
        <Dialog title={text.importTitle} size="lg" close={check.reset}>
          <Stack>
            {check.error && <Failure error={check.error} />}
            {faults.length > 0 ? (
              <>
                <Text>{text.hasFaults}</Text>
                <Lines lines={[...new Set(lines)]} max={MAX_LINES} />
              </>
            ) : (
              <>
                <Text>{text.counts(...(counts as [string, string, string]))}</Text>
                <LabelChanges changes={changes} max={MAX_LINES} />
              </>
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={check.reset}>
                {text.cancel}
              </Button>
              <Button
                disabled={faults.length > 0 || changes.length === 0}
                loading={save.isPending}
                onClick={() => save.mutate(changes, { onSuccess: check.reset })}
              >
                {text.save}
              </Button>
            </Group>
          </Stack>
        </Dialog>
      )}
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
