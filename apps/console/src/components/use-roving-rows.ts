import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual';
import { useEffect, useRef, useState, type FocusEvent, type KeyboardEvent, type RefObject } from 'react';

/** Places that the arrow keys reach: rows, and the items of a row, such as its bars. */
interface RovingRows {
  /** The element that contains the rows. Each has its index as `data-index`, and their items theirs as `data-item`. */
  readonly body: RefObject<HTMLDivElement | null>;
  /** The only place that takes part in the tab order. */
  readonly active: { readonly row: number; readonly item: number };
  /** Draws the active row also when it is out of sight, so that the keyboard goes on from there. */
  readonly rangeExtractor: (range: Range) => number[];
  readonly onFocus: (event: FocusEvent) => void;
  readonly onBlur: () => void;
  /** @param height - Of what is visible of the rows, in pixels. A page has as many rows. */
  readonly onKeyDown: (event: KeyboardEvent, height: number) => void;
}

interface RovingRowsOptions<Row> {
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Key of the row that is active at first. */
  readonly start?: string | undefined;
  /** Key of another row that is drawn although it may be out of sight. */
  readonly drawn?: string | undefined;
  /** How many items a row has. By default the row itself takes the focus. */
  readonly itemsOf?: ((row: Row) => number) | undefined;
}

/** The index that is nearest to a number. */
function within(value: number, count: number): number {
  return Math.max(0, Math.min(value, count - 1));
}

/** Moves the focus through rows by keyboard. It stays with its row when the rows change, or else goes to the next one. */
export function useRovingRows<Row>({ rows, keyOf, start, drawn, itemsOf }: RovingRowsOptions<Row>): RovingRows {
  const body = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ key: start, row: 0, item: 0 });
  const hasFocus = useRef(false);
  const isMoved = useRef(false);
  const itemCount = (index: number): number => (rows[index] === undefined ? 0 : (itemsOf?.(rows[index]) ?? 0));

  const found = rows.findIndex((one) => keyOf(one) === place.key);
  const row = found === -1 ? within(place.row, rows.length) : found;
  // Where it was last, in case it goes.
  if (found !== -1 && found !== place.row) setPlace({ ...place, row });
  const item = within(place.item, itemCount(row));
  const goTo = (nextRow: number, nextItem: number): void => {
    const target = within(nextRow, rows.length);
    setPlace({ key: rows[target] && keyOf(rows[target]), row: target, item: within(nextItem, itemCount(target)) });
  };

  useEffect(() => {
    // The browser takes the focus from a row that is gone.
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (!isMoved.current && !isLost) return;
    isMoved.current = false;
    const element = body.current?.querySelector<HTMLElement>(`[data-index="${row}"]`);
    const inRow = element?.querySelector<HTMLElement>(`[data-item="${item}"]`);
    const target = inRow?.querySelector<HTMLElement>('input, button') ?? inRow ?? element;
    target?.focus({ preventScroll: true });
    target?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const onKeyDown = (event: KeyboardEvent, height: number): void => {
    const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event;
    if (altKey || metaKey || shiftKey || !(target instanceof Element)) return;
    const element = target.closest<HTMLElement>('[data-index]');
    if (element === null || rows.length === 0) return;
    const { scrollMarginTop } = getComputedStyle(element);
    const page = Math.max(1, Math.floor((height - Number.parseFloat(scrollMarginTop)) / element.offsetHeight) - 1);
    const last = rows.length - 1;
    const isRow = ctrlKey || itemsOf === undefined;
    const inItem = target.closest('[data-item]');
    const moves: Readonly<Record<string, readonly [row: number, item: number]>> = {
      ArrowDown: [row + 1, item],
      ArrowUp: [row - 1, item],
      PageDown: [row + page, item],
      PageUp: [row - page, item],
      // The cursor of a field in an item moves by itself.
      ...((inItem === null || inItem === target) && {
        ...(itemsOf && { ArrowRight: [row, item + 1], ArrowLeft: [row, item - 1] }),
        Home: isRow ? [0, 0] : [row, 0],
        End: isRow ? [last, 0] : [row, itemCount(row)],
      }),
    };
    const move = moves[key];
    if (move === undefined) return;
    event.preventDefault();
    isMoved.current = true;
    goTo(...move);
  };
  return {
    body,
    active: { row, item },
    rangeExtractor: (range) => {
      const other = drawn === undefined ? -1 : rows.findIndex((one) => keyOf(one) === drawn);
      const drawnRows = new Set([...defaultRangeExtractor(range), row, other === -1 ? row : other]);
      return [...drawnRows].toSorted((a, b) => a - b);
    },
    onFocus: ({ target }) => {
      const element = target.closest<HTMLElement>('[data-index]');
      if (element === null) return;
      hasFocus.current = true;
      goTo(Number(element.dataset['index']), Number(target.closest<HTMLElement>('[data-item]')?.dataset['item'] ?? 0));
    },
    onBlur: () => {
      hasFocus.current = false;
    },
    onKeyDown,
  };
}
