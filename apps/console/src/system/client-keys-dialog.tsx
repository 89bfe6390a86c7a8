import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { Dialog } from '../components/dialog.tsx';
import { Failure } from '../components/page.tsx';
import { bff, type BffError } from '../shell/bff.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages as shared } from '../shell/messages.ts';
import type { ClientProps } from './grant-dialog.tsx';
import { messages } from './messages.ts';

type Keys = { readonly jwksUrl: string } | { readonly jwks: { readonly keys: readonly object[] } };

/** Reads a URL, a JWK or a JWK set. A private key stays in the page. */
function read(input: string): Keys | 'invalid' | 'private' {
  if (/^https:\/\/\S+$/.test(input)) return { jwksUrl: input };
  try {
    const given = JSON.parse(input) as { readonly keys?: readonly object[] };
    const keys = given.keys ?? [given];
    if (keys.some((key) => 'd' in key || 'k' in key)) return 'private';
    return keys.length > 0 && keys.every((key) => 'kty' in key) ? { jwks: { keys } } : 'invalid';
  } catch {
    return 'invalid';
  }
}

/** Registers the public keys of a client, instead of those that it has. */
export function ClientKeysDialog({
  client: { clientId, name, keys, jwksUrl },
  close,
}: Pick<ClientProps, 'client'> & { readonly close: () => void }): ReactNode {
  const { keys: text } = useMessages(messages);
  const { cancel, save: saveText } = useMessages(shared);
  const queries = useQueryClient();
  const [input, setInput] = useState('');
  const found = read(input.trim());
  const fault = typeof found === 'string' && input.trim() !== '' ? text[found] : undefined;
  const save = useMutation<void, BffError, Keys>({
    mutationFn: (given) => bff.post('system/client-keys', { clientId, ...given }),
    onSuccess: () => {
      notifications.show({ message: text.saved(name) });
      close();
    },
    onSettled: () => queries.invalidateQueries(),
  });
  return (
    <Dialog title={text.title(name)} size="lg" close={close}>
      <Stack>
        <Textarea
          label={text.input}
          description={text.inputText}
          error={fault}
          value={input}
          onChange={(event) => setInput(event.currentTarget.value)}
          autosize
          minRows={6}
          spellCheck={false}
        />
        {(keys ?? jwksUrl) !== undefined && <Text>{text.replaces}</Text>}
        {save.error && <Failure error={save.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {cancel}
          </Button>
          <Button
            loading={save.isPending}
            disabled={typeof found === 'string'}
            onClick={() => typeof found !== 'string' && save.mutate(found)}
          >
            {saveText}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
