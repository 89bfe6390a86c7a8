import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from './messages.ts';
import { shownTime } from './month-calendar.tsx';
import type { Times } from './time-account.ts';
import css from './time.module.css';

export const timeNames = ['target', 'booked', 'chargeable', 'difference'] as const satisfies (keyof Times)[];

/** Target, booked and chargeable time of a day or a month, and the difference. */
export function TimeFigures({ times, label }: { readonly times: Times; readonly label?: string }): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  return (
    <dl className={css['sums']} aria-label={label}>
      {timeNames.map((name) => (
        <div key={name}>
          <Text component="dt" size="xs" c="dimmed">
            {text[name]}
          </Text>
          <Text component="dd" size="xl" fw={600} m={0} data-time={name}>
            {shownTime(format, times[name], name) || DASH}
          </Text>
        </div>
      ))}
    </dl>
  );
}
