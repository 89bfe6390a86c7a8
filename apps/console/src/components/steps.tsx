import { ActionIcon, Button, Group } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';

interface StepsProps {
  readonly unit: 'day' | 'month' | 'quarter';
  readonly onStep: (direction: -1 | 1) => void;
  readonly canStep?: (direction: -1 | 1) => boolean;
}

/** Leads to the days, months or quarters before and after. */
export function Steps({ unit, onStep, canStep }: StepsProps): ReactNode {
  const { previous, next } = useMessages(messages);
  const steps = [
    { direction: -1, name: previous[unit], Icon: IconChevronLeft },
    { direction: 1, name: next[unit], Icon: IconChevronRight },
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
