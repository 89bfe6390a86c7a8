import { ActionIcon, Button, Group, TextInput } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';

interface MonthInputProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (month: string) => void;
}

/** A month, which counts when the person leaves the field or presses Enter: a year that is being typed is none yet. */
export function MonthInput({ label, value, onChange }: MonthInputProps): ReactNode {
  const [typed, setTyped] = useState(value);
  const [shown, setShown] = useState(value);
  if (shown !== value) {
    setShown(value);
    setTyped(value);
  }
  const commit = (): void => {
    if (/^[1-9]\d{3}-\d{2}$/.test(typed) && typed !== value) onChange(typed);
  };
  return (
    <TextInput
      type="month"
      size="xs"
      label={label}
      value={typed}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={commit}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit();
      }}
    />
  );
}

interface StepsProps {
  readonly previous: string;
  readonly next: string;
  readonly onStep: (direction: -1 | 1) => void;
  readonly canStep?: (direction: -1 | 1) => boolean;
}

/** Leads to the months or days before and after. */
export function Steps({ previous, next, onStep, canStep }: StepsProps): ReactNode {
  const steps = [
    { direction: -1, name: previous, Icon: IconChevronLeft },
    { direction: 1, name: next, Icon: IconChevronRight },
  ] as const;
  return (
    <ActionIcon.Group role="presentation">
      {steps.map(({ direction, name, Icon }) => (
        <ActionIcon
          key={direction}
          variant="default"
          size={30}
          aria-label={name}
          disabled={canStep?.(direction) === false}
          onClick={() => onStep(direction)}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      ))}
    </ActionIcon.Group>
  );
}

interface MonthJumpProps {
  /** A month without data, and the nearest one with data. */
  readonly from: string;
  readonly to: string;
  readonly onChange: (month: string) => void;
}

/** Leads from a month without data to the nearest one that has some. */
export function MonthJump({ from, to, onChange }: MonthJumpProps): ReactNode {
  const { monthJump: text } = useMessages(messages);
  const format = useFormat();
  return (
    <Group justify="center" gap="sm">
      {(to < from ? text.last : text.first)(format.month(to))}
      <Button variant="default" size="xs" onClick={() => onChange(to)}>
        {text.show(format.month(to))}
      </Button>
    </Group>
  );
}
