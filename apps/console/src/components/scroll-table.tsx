import { Table, Text, VisuallyHidden } from '@mantine/core';
import { useRef, type ComponentProps, type ReactNode } from 'react';
import classes from './scroll-table.module.css';
import { useRemWidth } from './use-rem-width.ts';

/** A column of a table or a grid. */
export interface TableColumn<Row> {
  readonly header: ReactNode;
  readonly render: (row: Row) => ReactNode;
  /** Its figures line up, as those of dates and numbers do. Numbers that can be compared are at the end. */
  readonly figures?: 'start' | 'end';
  /** Width of a table from which on the column is shown, in rem. */
  readonly from?: number;
}

interface ScrollTableProps<Row> {
  readonly caption: string;
  /** Whether it is in a frame with something else. */
  readonly isFramed?: boolean;
  /** Whether a heading or a tab shows what the caption says. In a frame, one does. */
  readonly hidesCaption?: boolean;
  /** The first one has the headings of the rows. */
  readonly columns: readonly TableColumn<Row>[];
  readonly rows: readonly Row[];
  /** By default the place of the row, if nothing tells rows apart. */
  readonly keyOf?: (row: Row) => string | number;
  readonly rowProps?: (row: Row) => ComponentProps<'tr'>;
  /** Below this width it scrolls within its frame. */
  readonly minWidth?: number;
  /** Below the table. */
  readonly note?: ReactNode;
}

/** A table that scrolls in its own frame where it is too wide. */
export function ScrollTable<Row>(props: ScrollTableProps<Row>): ReactNode {
  const { caption, isFramed = false, hidesCaption = isFramed, rows, keyOf, rowProps, minWidth = 0, note } = props;
  const section = useRef<HTMLElement>(null);
  const width = useRemWidth(section);
  const columns = props.columns.filter(({ from = 0 }) => width >= from);
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard, too */}
      <section
        ref={section}
        className={`${isFramed ? '' : 'panel'} ${classes['scroll']}`}
        aria-label={caption}
        tabIndex={0}
      >
        <Table miw={minWidth} verticalSpacing={8} horizontalSpacing="md" captionSide="top">
          {hidesCaption ? (
            <VisuallyHidden component="caption">{caption}</VisuallyHidden>
          ) : (
            <Table.Caption ta="left" px="md" pt="sm">
              <span className={classes['caption']}>{caption}</span>
            </Table.Caption>
          )}
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, figures }, column) => (
                // oxlint-disable-next-line react/no-array-index-key -- columns have no other identity
                <Table.Th key={column} scope="col" c="dimmed" fw={500} ta={figures}>
                  {header}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, place) => (
              <Table.Tr key={keyOf?.(row) ?? place} {...rowProps?.(row)}>
                {columns.map(({ render, figures }, column) => {
                  const Cell = column === 0 ? Table.Th : Table.Td;
                  return (
                    // oxlint-disable-next-line react/no-array-index-key
                    <Cell key={column} {...(column === 0 && { scope: 'row' })} ta={figures}>
                      {render(row)}
                    </Cell>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
      {note !== undefined && (
        <Text c="dimmed" mt="sm">
          {note}
        </Text>
      )}
    </>
  );
}
