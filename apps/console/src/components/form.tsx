import { Button, Group, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import classes from './form.module.css';
import { messages } from './messages.ts';

/** The share of its limit from which on a field counts characters. */
const COUNTED = 0.8;

interface FormProps {
  /** Changes with each check. Then the first field with a fault gets the focus. */
  readonly checked: unknown;
  readonly submit: () => void;
  readonly submitLabel: string;
  readonly isBusy?: boolean;
  /** Below the fields. */
  readonly notes?: ReactNode;
  /** Beside the button. */
  readonly status?: ReactNode;
  readonly children: ReactNode;
}

/** Fields with a button that submits them. */
export function Form({ checked, submit, submitLabel, isBusy = false, notes, status, children }: FormProps): ReactNode {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (checked !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [checked]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="lg">
        <FieldGrid>{children}</FieldGrid>
        {notes}
        <Group gap="xs">
          {/* When a field loses the focus, a note below it may move the button away before the pointer is released. */}
          <Button type="submit" loading={isBusy} onMouseDown={(event) => event.preventDefault()}>
            {submitLabel}
          </Button>
          {status}
        </Group>
      </Stack>
    </form>
  );
}

/** Fields beside each other, by their widths. */
export function FieldGrid({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={classes['form']}>{children}</div>;
}

export interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly set: (value: string) => void;
  /** What is wrong. */
  readonly fault?: string | undefined;
  /** What is probably wrong. */
  readonly warning?: string | undefined;
  readonly hint?: string | undefined;
  /** In code points. */
  readonly maxLength?: number | undefined;
  /** In sixths of the form. */
  readonly width?: 2 | 3 | 4 | undefined;
  /** Removes spaces that do not belong to the value, when the field loses the focus. */
  readonly clean?: (value: string) => string;
  readonly input?: Pick<TextInputProps, 'inputMode' | 'readOnly' | 'required' | 'variant'>;
  /** Another input than one for text. */
  readonly children?: ((input: InputProps) => ReactNode) | undefined;
}

type InputProps = ReturnType<typeof useInput>;

/** A field with its label, its bounds, a hint, and what is wrong. */
export function Field(props: FieldProps): ReactNode {
  const input = useInput(props);
  if (props.children) return props.children(input);
  return <TextInput {...input} onChange={({ currentTarget }) => props.set(currentTarget.value)} />;
}

function useInput({
  value,
  set,
  clean = trimmed,
  fault,
  warning,
  hint,
  maxLength = Infinity,
  width,
  input,
  ...names
}: FieldProps) {
  const { field: text } = useMessages(messages);
  const [cleaned, setCleaned] = useState('');
  const length = lengthOf(clean(value));
  const notes = [
    hint,
    cleaned !== '' && cleaned === value && text.spacesRemoved,
    length > maxLength * COUNTED && text.length(length, maxLength),
  ].filter(Boolean);
  return {
    name: names.name,
    label: names.label,
    ...input,
    value,
    onBlur: () => {
      const next = clean(value);
      if (next === value) return;
      setCleaned(next);
      set(next);
    },
    autoComplete: 'off',
    spellCheck: false,
    error: fault,
    description: (notes.length > 0 || warning !== undefined) && (
      <>
        {notes.join(' ')}
        {warning !== undefined && fault === undefined && <Warning>{warning}</Warning>}
      </>
    ),
    inputWrapperOrder: ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[],
    wrapperProps: { style: { '--width': width } as CSSProperties },
  };
}

/** What is probably wrong, behind a sign. */
export function Warning({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Group component="span" gap={6} wrap="nowrap" fz="xs" c="var(--mantine-color-text)">
      <IconAlertTriangle size={14} aria-hidden style={{ flex: 'none' }} />
      <span>{children}</span>
    </Group>
  );
}

/** Counts as the service does: code points, not UTF-16 units. */
export function lengthOf(value: string): number {
  return Array.from(value).length;
}

function trimmed(value: string): string {
  return value.trim();
}
