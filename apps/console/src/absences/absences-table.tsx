import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, type ReactNode } from 'react';
import { VisuallyHidden } from '@mantine/core';
import { DASH, useFormat } from '../shell/format.ts';
import { useMessages } from '../shell/locale.tsx';
import type { AbsentPerson, ShownAbsence } from './absence-days.ts';
import classes from './absences.module.css';
import { messages } from './messages.ts';

const ROW_HEIGHT = 37;
const OVERSCAN = 4;
const COLUMNS = 5;

interface TableRow {
  readonly person: AbsentPerson;
  readonly absence?: ShownAbsence;
}

/** The same absences as the timeline. People without absences have a row, too. */
export function AbsencesTable({
  people,
  rangeName,
}: {
  readonly people: readonly AbsentPerson[];
  readonly rangeName: string;
}): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(
    () =>
      people.flatMap((person): TableRow[] =>
        person.absences.length === 0 ? [{ person }] : person.absences.map((absence) => ({ person, absence })),
      ),
    [people],
  );
  // oxlint-disable-next-line react/incompatible-library -- this component draws the rows itself
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  const items = virtualizer.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <section
      ref={scroller}
      className={`panel ${classes['scroller']}`}
      aria-label={text.tableLabel(rangeName)}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard scrolls it
      tabIndex={0}
    >
      <table className={classes['table']} aria-rowcount={rows.length + 1}>
        <caption>
          <VisuallyHidden>{text.tableLabel(rangeName)}</VisuallyHidden>
        </caption>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">{text.person}</th>
            <th scope="col">{text.from}</th>
            <th scope="col">{text.to}</th>
            <th scope="col" className={classes['number']}>
              {text.amount}
            </th>
            <th scope="col">{text.key}</th>
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {items.map(({ index, key }) => {
            const row = rows[index];
            if (row === undefined) return undefined;
            const { person, absence } = row;
            return (
              <tr key={key} aria-rowindex={index + 2}>
                <th scope="row">
                  <Link to="/people/$personId" params={{ personId: person.id }} title={person.name}>
                    {person.name}
                  </Link>
                </th>
                {absence === undefined ? (
                  <td colSpan={COLUMNS - 1} className={classes['none']}>
                    {text.none}
                  </td>
                ) : (
                  <>
                    <td>{format.date(absence.startDate)}</td>
                    <td>{absence.endDate === undefined ? text.open : format.date(absence.endDate)}</td>
                    <td className={classes['number']}>{format.number(absence.amount)}</td>
                    <td>{absence.key ?? DASH}</td>
                  </>
                )}
              </tr>
            );
          })}
          <Space height={after} />
        </tbody>
      </table>
    </section>
  );
}

/** The room of rows that are not drawn. */
function Space({ height }: { readonly height: number }): ReactNode {
  return height > 0 && <tr aria-hidden style={{ height, border: 0 }} />;
}
