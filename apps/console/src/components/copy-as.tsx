import { Button, Menu, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { type ApiRequest, requestTexts } from './request-texts.ts';
import { useSession } from '../shell/session.ts';
import { messages } from './messages.ts';

type Form = keyof typeof requestTexts;

const forms = Object.keys(requestTexts) as Form[];
const CONFIRMATION_MS = 4000;

// Browsers seldom refuse the clipboard.
const CopyDialog = lazy(async () => ({ default: (await import('./copy-dialog.tsx')).CopyDialog }));

/** Copies a call of the API as a text for curl, `hr` or TypeScript. */
export function CopyAs({ request }: { readonly request: ApiRequest }): ReactNode {
  const text = useMessages(messages);
  const target = useSession();
  const [copied, setCopied] = useState<Form>();
  const [refused, setRefused] = useState<string>();

  const copy = async (form: Form): Promise<void> => {
    const content = requestTexts[form](request, target);
    try {
      // It is absent from pages without TLS.
      await navigator.clipboard.writeText(content);
    } catch {
      setRefused(content);
      return;
    }
    setCopied(form);
    setTimeout(() => setCopied(undefined), CONFIRMATION_MS);
  };

  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            variant="default"
            size="xs"
            leftSection={copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          >
            {text.copyAs}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {forms.map((form) => (
            <Menu.Item key={form} onClick={() => void copy(form)}>
              {text.forms[form]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden aria-live="polite">{copied && text.copied(text.forms[copied])}</VisuallyHidden>
      {refused !== undefined && (
        <Suspense>
          <CopyDialog content={refused} close={() => setRefused(undefined)} />
        </Suspense>
      )}
    </>
  );
}
