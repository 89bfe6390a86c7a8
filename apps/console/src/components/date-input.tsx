import { Autocomplete, type AutocompleteProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { addDays, addMonths, today } from '../model/calendar.ts';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { date, month } from '../shell/search.ts';
import { messages } from './messages.ts';

interface DateInputProps extends Omit<AutocompleteProps, 'data' | 'filter' | 'onChange'> {
  readonly kind: 'month' | 'date';
  /** `YYYY-MM` or `YYYY-MM-DD`, or what was typed instead. */
  readonly value: string;
  /** Receives the same, and whether it is a month or date. */
  readonly onChange: (value: string, isValid: boolean) => void;
}

const WIDTH = 150;
const PARTS = /^(?:(\d{1,2})[./])?(\d{1,2})[./](\d{4})$/;
/** What the list offers around today. */
const offered = { month: { before: 24, after: 6 }, date: { before: 31, after: 7 } };

/**
 * A month or a date in the language of the page, to type or to choose. Those of the browsers are in the language of the
 * browser, and some have none for months.
 */
export function DateInput({
  kind,
  value,
  onChange,
  onBlur,
  size = 'xs',
  w = WIDTH,
  ...props
}: DateInputProps): ReactNode {
  const { placeholders } = useMessages(messages);
  const format = useFormat();
  const [typed, setTyped] = useState<string>();
  const isValid = (text: string): boolean => (kind === 'month' ? month(text) : date(text)) !== undefined;
  const { before, after } = offered[kind];
  const now = kind === 'month' ? today().slice(0, 'YYYY-MM'.length) : today();
  const add = kind === 'month' ? addMonths : addDays;
  const choices = Array.from({ length: before + after + 1 }, (_, index) => add(now, after - index));
  const labels = new Map(choices.map((choice) => [format[kind](choice).toLowerCase(), choice]));
  const change = (text: string): void => {
    const iso = labels.get(text.trim().toLowerCase()) ?? isoOf(text.trim());
    setTyped(text === '' || isValid(iso) ? undefined : text);
    onChange(isValid(iso) ? iso : text, isValid(iso));
  };
  return (
    <Autocomplete
      {...props}
      size={size}
      w={w}
      placeholder={placeholders[kind]}
      openOnFocus={false}
      data={choices.map((choice) => format[kind](choice))}
      // All of them, until the person types.
      filter={({ options, search }) =>
        options.filter(
          (option) =>
            typed === undefined || ('label' in option && option.label.toLowerCase().includes(search.toLowerCase())),
        )
      }
      value={typed ?? (isValid(value) ? format[kind](value) : value)}
      onChange={change}
      onFocus={({ currentTarget }) => currentTarget.select()}
      onBlur={(event) => {
        setTyped(undefined);
        onBlur?.(event);
      }}
    />
  );
}

/** Reads `11/2026`, `11.2026` and dates with the day first. */
function isoOf(text: string): string {
  const [, ...parts] = PARTS.exec(text) ?? [];
  const given = parts.filter((part) => part !== undefined).toReversed();
  return given.length === 0 ? text : given.map((part) => part.padStart(2, '0')).join('-');
}
