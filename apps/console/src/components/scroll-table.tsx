import { Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './scroll-table.module.css';

interface ScrollTableProps {
  readonly caption: string;
  /** Whether a heading or a tab shows what the caption says. */
  readonly hidesCaption?: boolean;
  readonly columns: readonly string[];
  /** Those columns that have numbers, at the right. */
  readonly numbers?: readonly string[];
  /** Below this width it scrolls within its frame. */
  readonly minWidth: number;
  /** Below the table. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

/** A table that scrolls in its own frame where it is too wide. */
export function ScrollTable({
  caption,
  hidesCaption = false,
  columns,
  numbers,
  minWidth,
  note,
  children,
}: ScrollTableProps): ReactNode {
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by keyboard, too */}
      <section className={`panel ${classes['scroll']}`} aria-label={caption} tabIndex={0}>
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
              {columns.map((column) => (
                <Table.Th
                  key={column}
                  scope="col"
                  c="dimmed"
                  fw={500}
                  ta={numbers?.includes(column) ? 'right' : undefined}
                >
                  {column}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>{children}</Table.Tbody>
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
