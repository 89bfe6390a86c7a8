import { CloseButton, Group, Popover, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useRef, type CSSProperties, type ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { AbsentPerson, ShownAbsence } from './absence-days.ts';
import classes from './absences.module.css';
import type { Bar } from './lanes.ts';
import { messages } from './messages.ts';

export const LANE_HEIGHT = 28;
/** The part of an open absence that is hatched at least. */
const MIN_HATCH = 28;
/** In a range of more days, an absence of fewer days is too narrow for its key. */
const MAX_WIDE_DAYS = 31;
const MIN_DAYS_FOR_TEXT = 3;

interface AbsenceBarProps {
  readonly person: AbsentPerson;
  readonly bar: Bar;
  /** Number of days of the range, and of those before today. */
  readonly days: number;
  readonly past: number;
  readonly top: number;
  /** Its place in the row. */
  readonly item: number;
  readonly row: number;
  readonly isActive: boolean;
  readonly isOpened: boolean;
  readonly setOpened: (opened: boolean) => void;
}

/** An absence in the timeline. A click shows its details. */
export function AbsenceBar(props: AbsenceBarProps): ReactNode {
  const { person, bar, days, past, top, item, row, isActive, isOpened, setOpened } = props;
  const text = useMessages(messages);
  const format = useFormat();
  const button = useRef<HTMLButtonElement>(null);
  const close = (): void => {
    setOpened(false);
    button.current?.focus();
  };
  const { absence, start, end, startsBefore, endsAfter } = bar;
  const percent = (count: number): string => `${(count / days) * 100}%`;
  const isNarrow = hasNoRoom(bar, days);
  const isOpen = absence.endDate === undefined;
  const place = { left: percent(start), width: percent(end - start), top: top + bar.lane * LANE_HEIGHT };
  const key = absence.key ?? text.noKey;
  const from = format.date(absence.startDate);
  const label = isOpen ? text.labelOpen(key, from) : text.label(key, from, format.date(absence.endDate));
  const certain = Math.min(Math.max(past - start, 0), end - start) / (end - start);
  const names = [classes['bar'], startsBefore && classes['startsBefore'], endsAfter && classes['endsAfter']];
  return (
    <>
      <button
        ref={button}
        type="button"
        className={[...names, isOpen && classes['open']].filter(Boolean).join(' ')}
        style={place}
        tabIndex={isActive ? 0 : -1}
        data-row={row}
        data-item={item}
        aria-haspopup="dialog"
        aria-expanded={isOpened}
        onClick={() => setOpened(!isOpened)}
      >
        <VisuallyHidden>{label}</VisuallyHidden>
        {isOpen && (
          <span className={classes['hatch']} style={{ left: `min(${certain * 100}%, calc(100% - ${MIN_HATCH}px))` }} />
        )}
        {endsAfter && <IconChevronRight className={classes['edge']} size={14} aria-hidden />}
        <span className={classes['label']} style={labelPlace(bar, days)} aria-hidden>
          {startsBefore && !isNarrow && <IconChevronLeft size={14} />}
          <span>{key}</span>
          {isOpen && <span className={classes['openText']}>{text.open}</span>}
        </span>
      </button>
      {isOpened && (
        <Popover opened onChange={close} trapFocus withRoles={false} withArrow shadow="md" width={280}>
          <Popover.Target>
            <span className={classes['target']} style={place} />
          </Popover.Target>
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- it is placed beside the bar */}
          <Popover.Dropdown role="dialog" aria-label={text.details}>
            <Details person={person} absence={absence} close={close} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  );
}

function hasNoRoom({ start, end }: Bar, days: number): boolean {
  return days > MAX_WIDE_DAYS && end - start < MIN_DAYS_FOR_TEXT;
}

/** The text of a narrow bar is beside it. Where the next one begins, the text ends. */
function labelPlace(bar: Bar, days: number): CSSProperties {
  const { start, end, next } = bar;
  const width = (until: number, since: number): string => `${((until - since) / (end - start)) * 100}%`;
  if (!hasNoRoom(bar, days)) return { width: width(next, start) };
  if (next - end <= MIN_DAYS_FOR_TEXT) return { left: 'auto', right: '100%', paddingRight: 3 };
  return { left: '100%', width: width(next, end), paddingLeft: 3 };
}

interface DetailsProps {
  readonly person: AbsentPerson;
  readonly absence: ShownAbsence;
  readonly close: () => void;
}

function Details({ person, absence, close }: DetailsProps): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { startDate, endDate, key, amount } = absence;
  const from = format.date(startDate);
  const facts = [
    [text.dates, endDate === undefined ? text.spanOpen(from) : text.span(from, format.date(endDate))],
    [text.key, key ?? text.noKey],
    [text.amount, amount === undefined ? text.noAmount : `${format.number(amount)} (${text.noUnit})`],
  ] as const;
  return (
    <Stack gap="xs">
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Link to="/people/$personId" params={{ personId: person.id }} aria-label={text.toPerson(person.name)}>
          <Text span fw={600} c="var(--mantine-color-anchor)">
            {person.name}
          </Text>
        </Link>
        <CloseButton size="sm" aria-label={text.close} onClick={close} />
      </Group>
      <dl style={{ display: 'grid', gap: 6, margin: 0 }}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <dd style={{ margin: 0 }}>{value}</dd>
          </div>
        ))}
      </dl>
    </Stack>
  );
}
