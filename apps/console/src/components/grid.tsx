import { Checkbox, Group, Skeleton, UnstyledButton } from '@mantine/core';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react';
import classes from './grid.module.css';
import type { TableColumn } from './scroll-table.tsx';
import { rem, useRemWidth } from './use-rem-width.ts';
import { useRovingRows } from './use-roving-rows.ts';

/** A column of a {@link Grid}. Its sizes are in rem, so that they grow with the text. */
export interface GridColumn<Row, Id extends string = string> extends Omit<TableColumn<Row>, 'from'> {
  readonly id: Id;
  /** What the pointer shows of a cell that is cut off. By default its content, if that is a text. */
  readonly title?: (row: Row) => string;
  /** For `grid-template-columns`: `minmax(9rem, 2fr)` or `6rem`. */
  readonly width: string;
  /** Where there is no room for all columns, those of the highest rank are left out first. By default none is. */
  readonly rank?: number;
  /** By default the column sorts a grid that can be sorted. */
  readonly isSortable?: false;
  /** Its place in the card that a row is where columns have no room. The others are not in the card. */
  readonly card?: readonly [line: number, side: 'start' | 'end'];
}

interface GridSelection<Row> {
  /** Keys. */
  readonly selected: ReadonlySet<string>;
  readonly change: (selected: ReadonlySet<string>) => void;
  readonly canSelect: (row: Row) => boolean;
  /** Name of the check box of a row. */
  readonly label: (row: Row) => string;
  /** Name of the check box of all rows. */
  readonly allLabel: string;
}

interface GridProps<Row, Id extends string> {
  readonly label: string;
  /** Its keys, for a screen reader. */
  readonly help?: string;
  readonly columns: readonly GridColumn<Row, Id>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Height of a row in rem, until it is measured. */
  readonly rowHeight?: number;
  readonly sort?: {
    readonly by: Id;
    readonly isDescending: boolean;
    readonly change: (by: Id, isDescending: boolean) => void;
  };
  readonly selection?: GridSelection<Row> | undefined;
  /** Key of the row of which a panel beside the grid shows more. */
  readonly shown?: string | undefined;
  /** By a click, and by Space if rows are not selected. Without it, a click opens. */
  readonly onShow?: (row: Row) => void;
  /** By Enter or a double click. */
  readonly onOpen?: (row: Row) => void;
  /** Whether the cells have fields, which take the focus instead of the rows. */
  readonly isEditable?: boolean;
  /** Key of a row that is in the page although it may be out of sight. */
  readonly drawn?: string | undefined;
  /** Number of rows of the whole list, if `rows` are only its beginning. */
  readonly count?: number;
  /** The end of `rows` is near, and more are to be loaded. Called once for each number of rows. */
  readonly onEnd?: () => void;
}

const CARD_COLUMNS = ['minmax(0, 1fr)', 'auto'];
const EDITABLE_CARD_COLUMNS = ['minmax(0, 1fr)', 'minmax(0, 1fr)'];
/** From this line of a card on, a value has the heading of its column. */
const LABELLED_LINE = 3;
const SELECTION_WIDTH = '1.5rem';
/** Room between columns, and at both ends of a row, in rem. */
const GAP = 1;
const EDITABLE_GAP = 0.5;
const ENDS = 1.75;
/** Where rows are cards, a finger selects them. */
const CARD_CHECKBOX = '1.5rem';
const ROW_HEIGHT = 2.5;
const CARD_HEIGHT = 4;
const OVERSCAN = 6;
const OUTLINE_ROWS = 12;

/** A list of rows that take the focus, below headings that stay in sight. Only the rows in sight are in the page. */
export function Grid<Row, Id extends string>(props: GridProps<Row, Id>): ReactNode {
  const { label, help, rows, keyOf, rowHeight = ROW_HEIGHT, sort, selection, shown } = props;
  const { onShow, onOpen, isEditable = false, count = rows.length, onEnd } = props;
  const helpId = useId();
  const { body, active, rangeExtractor, onFocus, onBlur, onKeyDown } = useRovingRows({
    rows,
    keyOf,
    start: shown,
    drawn: props.drawn,
    itemsOf: isEditable ? () => props.columns.length : undefined,
  });
  const width = useRemWidth(body);
  const [margin, setMargin] = useState(0);
  const selectionTrack = selection ? [SELECTION_WIDTH] : [];
  const fitting = props.columns.filter(({ rank = 0 }) => {
    const together = props.columns.filter((other) => (other.rank ?? 0) <= rank);
    const least = [...selectionTrack, ...together.map((column) => column.width)];
    return leastWidth(least, isEditable ? EDITABLE_GAP : GAP) <= width;
  });
  const areCards = fitting.length === 0;
  const checkbox = areCards ? CARD_CHECKBOX : 'xs';
  const columns = areCards ? props.columns.filter(({ card }) => card !== undefined) : fitting;

  // oxlint-disable-next-line react/incompatible-library -- nothing is memoized here
  const virtualizer = useWindowVirtualizer<HTMLDivElement>({
    count: rows.length,
    estimateSize: () => (areCards ? CARD_HEIGHT : rowHeight) * rem(),
    overscan: OVERSCAN,
    scrollMargin: margin,
    getItemKey: (index) => (rows[index] === undefined ? index : keyOf(rows[index])),
    rangeExtractor,
  });
  useEffect(() => virtualizer.measure(), [virtualizer, areCards]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- whatever is above may move it; the same number draws nothing
  useLayoutEffect(() => setMargin(Math.round((body.current?.getBoundingClientRect().top ?? 0) + window.scrollY)));
  const isAtEnd = rows.length < count && (virtualizer.range?.endIndex ?? 0) + OVERSCAN >= rows.length;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- another function is no reason to load
  }, [isAtEnd, rows.length]);

  const toggle = (row: Row): void => {
    if (!selection?.canSelect(row)) return;
    const selected = new Set(selection.selected);
    if (!selected.delete(keyOf(row))) selected.add(keyOf(row));
    selection.change(selected);
  };
  const onRowKey = (event: KeyboardEvent, row: Row): void => {
    const action = { Enter: onOpen, ' ': selection ? toggle : onShow }[event.key];
    if (event.target !== event.currentTarget || action === undefined) return;
    event.preventDefault();
    action(row);
  };
  const tracks = [
    ...selectionTrack,
    ...(areCards ? (isEditable ? EDITABLE_CARD_COLUMNS : CARD_COLUMNS) : columns.map((column) => column.width)),
  ];

  return (
    <>
      <p id={helpId} hidden>
        {help}
      </p>
      <div
        role="grid"
        aria-label={label}
        aria-describedby={help && helpId}
        aria-rowcount={count + 1}
        aria-multiselectable={selection && true}
        className={`panel ${classes['grid']} ${areCards ? classes['cards'] : ''} ${isEditable ? classes['editable'] : ''}`}
        style={{ '--columns': tracks.join(' ') } as CSSProperties}
      >
        <div role="rowgroup" className={classes['head']}>
          <div role="row" aria-rowindex={1} className={classes['row']}>
            {selection && <SelectAll rows={rows} keyOf={keyOf} selection={selection} size={checkbox} />}
            {columns.map((column) => (
              <Heading key={column.id} column={column} sort={sort} />
            ))}
          </div>
        </div>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of the row with the focus */}
        <div
          role="rowgroup"
          ref={body}
          className={classes['body']}
          style={{ height: virtualizer.getTotalSize() }}
          onFocus={onFocus}
          onBlur={onBlur}
          onKeyDown={(event) => onKeyDown(event, window.innerHeight)}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isSelected = selection?.selected.has(keyOf(row));
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                role="row"
                aria-rowindex={index + 2}
                aria-selected={isSelected ?? (onShow && keyOf(row) === shown)}
                tabIndex={isEditable ? undefined : index === active.row ? 0 : -1}
                data-index={index}
                className={classes['row']}
                data-opens={(onShow ?? onOpen) !== undefined || undefined}
                style={{ transform: `translateY(${start - margin}px)` }}
                onClick={(event) => clickRow(event, () => (onShow ?? onOpen)?.(row))}
                onDoubleClick={() => onOpen?.(row)}
                onKeyDown={(event) => onRowKey(event, row)}
              >
                {selection && (
                  <div role="gridcell" className={classes['check']}>
                    <Checkbox
                      size={checkbox}
                      tabIndex={-1}
                      aria-label={selection.label(row)}
                      checked={isSelected === true && selection.canSelect(row)}
                      disabled={!selection.canSelect(row)}
                      onChange={() => toggle(row)}
                    />
                  </div>
                )}
                {columns.map((column, place) => {
                  const { id, figures, card: [line, side] = [1, 'start'] } = column;
                  const content = column.render(row);
                  return (
                    <div
                      key={id}
                      role={place === 0 ? 'rowheader' : 'gridcell'}
                      title={column.title?.(row) ?? (typeof content === 'string' ? content : undefined)}
                      data-item={isEditable ? place : undefined}
                      data-figures={figures}
                      data-side={areCards && !isEditable ? side : figures}
                      data-line={areCards ? line : undefined}
                      style={areCards ? { gridArea: `${line} / ${side === 'start' ? -3 : -2}` } : undefined}
                    >
                      {areCards && line >= LABELLED_LINE && content !== undefined && <span>{column.header} </span>}
                      {content}
                    </div>
                  );
                })}
              </div>
            );
          })}
        </div>
        {rows.length < count && <Skeleton h="0.75rem" w="40%" m="0.875rem" />}
      </div>
    </>
  );
}

/** How much room columns need at least, in rem. */
function leastWidth(tracks: readonly string[], gap: number): number {
  return tracks.reduce((sum, track) => sum + Number.parseFloat(track.replace('minmax(', '')) + gap, ENDS - gap);
}

/** Gives the focus to the grid of the screen, such as from a search field. */
export function focusGrid(): void {
  const row = document.querySelector<HTMLElement>('[role=grid] [tabindex="0"][data-index]');
  row?.focus({ preventScroll: true });
}

/** A link with a modifier key opens another tab, as everywhere. What else is in a row works by itself. */
function clickRow(event: MouseEvent, act: () => void): void {
  const isOther = event.target instanceof Element && event.target.closest('button, input, label');
  if (isOther || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  act();
}

function Heading<Row, Id extends string>({
  column: { id, header, figures, isSortable },
  sort,
}: {
  readonly column: GridColumn<Row, Id>;
  readonly sort: GridProps<Row, Id>['sort'];
}): ReactNode {
  const isSorted = sort?.by === id;
  const isDescending = isSorted && sort.isDescending;
  return (
    <div
      role="columnheader"
      data-side={figures}
      aria-sort={isSorted ? (isDescending ? 'descending' : 'ascending') : undefined}
    >
      {sort && isSortable !== false ? (
        <UnstyledButton onClick={() => sort.change(id, isSorted && !isDescending)}>
          {header}
          <span aria-hidden>{isSorted && (isDescending ? '↓' : '↑')}</span>
        </UnstyledButton>
      ) : (
        header
      )}
    </div>
  );
}

function SelectAll<Row>({
  rows,
  keyOf,
  selection: { selected, change, canSelect, allLabel },
  size,
}: {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly selection: GridSelection<Row>;
  readonly size: string;
}): ReactNode {
  const keys = rows.filter(canSelect).map(keyOf);
  const isAll = keys.length > 0 && keys.every((key) => selected.has(key));
  return (
    <div role="columnheader" className={classes['check']}>
      <Checkbox
        size={size}
        aria-label={allLabel}
        checked={isAll}
        indeterminate={!isAll && keys.some((key) => selected.has(key))}
        onChange={() => change(new Set(isAll ? [] : keys))}
      />
    </div>
  );
}

/** The outline of a list that is loaded. */
export function GridOutline(): ReactNode {
  return (
    <div className="panel">
      {Array.from({ length: OUTLINE_ROWS }, (_, row) => (
        <Group key={row} h={`${ROW_HEIGHT}rem`} px="sm" gap="xl" wrap="nowrap">
          <Skeleton h={12} w="24%" />
          <Skeleton h={12} w="30%" />
          <Skeleton h={12} w="16%" />
        </Group>
      ))}
    </div>
  );
}
