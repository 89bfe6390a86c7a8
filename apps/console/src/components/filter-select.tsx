import { NativeSelect } from '@mantine/core';
import type { ReactNode } from 'react';

interface FilterSelectProps {
  readonly label: string;
  /** Whether the choices say what they are. */
  readonly hidesLabel?: boolean;
  /** The choice that filters nothing. */
  readonly all: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
}

/** Chooses one of the values that occur, or all. */
export function FilterSelect({ label, hidesLabel, all, choices, value, onChange }: FilterSelectProps): ReactNode {
  // The value of an old link may no longer occur.
  const isMissing = value !== undefined && choices.every((choice) => choice.value !== value);
  return (
    <NativeSelect
      size="xs"
      maw="11rem"
      {...(hidesLabel ? { 'aria-label': label } : { label })}
      value={value ?? ''}
      data={[{ value: '', label: all }, ...choices, ...(isMissing ? [{ value, label: value }] : [])]}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    />
  );
}
