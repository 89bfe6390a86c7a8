import { TextInput } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMessages } from '../shell/locale.tsx';
import { lengthOf, type FieldFaults, type Warning } from './check-fields.ts';
import type { Input } from './comparison.ts';
import classes from './edit.module.css';
import { fieldLabel, messages } from './messages.ts';
import type { EditScreen, Limit } from './stored-value.ts';

/** What the forms work with. */
export interface FormProps {
  readonly screen: EditScreen;
  readonly input: Input;
  readonly setInput: (input: Input, hadSpaces?: boolean) => void;
  readonly hadSpaces: boolean;
  readonly faults: FieldFaults;
  readonly warnings: Readonly<Record<string, Warning>>;
}

interface FieldInputProps extends FormProps {
  readonly name: string;
  /** In sixths of the form. */
  readonly width?: 2 | 3 | 4;
  /** Whether it takes the whole width on small screens. */
  readonly stacks?: boolean;
  readonly hint?: ReactNode;
  readonly onBlur?: () => void;
  /** Whether it replaces the button that was pressed. */
  readonly takesFocus?: boolean;
}

/** A text field with its limit, its warning and what is wrong. */
export function FieldInput({
  name,
  width,
  stacks,
  hint,
  onBlur,
  takesFocus,
  screen: { limits },
  input,
  setInput,
  faults,
  warnings,
}: FieldInputProps): ReactNode {
  const text = useMessages(messages);
  const value = input.fields[name] ?? '';
  const warning = warnings[name];
  const fault = faults[name];
  const format = fault === 'wrong-format' ? text.formats[name] : undefined;
  return (
    <TextInput
      name={name}
      label={fieldLabel(text.fields, name)}
      value={value}
      onChange={({ currentTarget }) => setInput({ ...input, fields: { ...input.fields, [name]: currentTarget.value } })}
      onBlur={onBlur}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- the focus would be lost
      autoFocus={takesFocus}
      autoComplete="off"
      spellCheck={false}
      error={fault !== undefined && (format ?? text.faults[fault] ?? text.rejectedField)}
      description={
        <>
          <LimitNote value={value} limit={limits[name] ?? {}} />
          <span className={classes['hint']}>
            {hint}
            {warning !== undefined && fault === undefined && (
              <span className={classes['warning']}>
                <IconAlertTriangle size={14} aria-hidden />
                {text.warnings[warning]}
              </span>
            )}
          </span>
        </>
      }
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      classNames={{
        root: classes['field'] ?? '',
        label: classes['fieldLabel'] ?? '',
        description: classes['fieldNotes'] ?? '',
      }}
      data-width={width}
      wrapperProps={{ 'data-width': width, 'data-stacks': stacks || undefined }}
    />
  );
}

function LimitNote({ value, limit }: { readonly value: string; readonly limit: Limit }): ReactNode {
  const { form: text } = useMessages(messages);
  const { minLength = 0, maxLength } = limit;
  if (maxLength === undefined) return null;
  const left = maxLength - lengthOf(value);
  let note = text.left(left);
  if (left < 0) note = text.tooMany(-left);
  else if (minLength === maxLength) note = text.exactly(maxLength);
  else if (minLength > 0) note = text.range(minLength, maxLength);
  return (
    <span className={classes['limit']} data-over={left < 0 || undefined}>
      {note}
    </span>
  );
}
