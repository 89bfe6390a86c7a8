import { printable } from '@hr/text/printable';
import stringWidth from 'string-width';
import { textOf } from '@hr/text/text-of';
import { inBatches } from './in-batches.ts';
import type { Column } from './record-kind.ts';

/** The rows that set the widths of the columns. To measure a longer list, all of it would have to be in memory. */
const MEASURED_ROWS = 1000;
const GAP = '  ';
/** A column of text gets no narrower. */
const MIN_WIDTH = 8;

/** Rows as lines of tab-separated values without a header, for programs such as `cut`. */
export async function* tabSeparated(columns: readonly Column[], rows: AsyncIterable<object>): AsyncIterable<string> {
  for await (const row of rows) yield `${columns.map((column) => cellOf(column, row)).join('\t')}\n`;
}

/**
 * A table with a header, for people, on a terminal with `width` characters in a line. Long texts are cut to fit the terminal; if that does not suffice, the last columns
 * are left out. Without rows it is empty.
 */
export async function* table(
  columns: readonly Column[],
  rows: AsyncIterable<object>,
  { width, hasColor }: { readonly width: number; readonly hasColor: boolean },
): AsyncIterable<string> {
  const names = columns.map(({ name }) => name);
  let layout: Layout | undefined;
  for await (const batch of inBatches(rows, MEASURED_ROWS)) {
    const lines = batch.map((row) => columns.map((column) => cellOf(column, row)));
    if (!layout) {
      const measured = layoutOf(columns, lines, width);
      layout = batch.length < MEASURED_ROWS ? measured : widened(measured, width);
      const header = line(layout, names);
      yield hasColor ? `\u001B[1m${header.trimEnd()}\u001B[22m\n` : header;
    }
    for (const cells of lines) yield line(layout, cells);
  }
}

/** The columns that are shown. */
type Layout = readonly { readonly width: number; readonly isText: boolean; readonly isNumber: boolean }[];

function layoutOf(columns: readonly Column[], rows: readonly (readonly string[])[], available: number): Layout {
  const all = columns.map(({ name, type }, index) => ({
    width: Math.min(available, Math.max(stringWidth(name), ...rows.map((cells) => stringWidth(cells[index] ?? '')))),
    isNumber: type === 'number' || type === 'integer',
    isText: type === 'string' || type === 'json',
  }));
  // Cut numbers and dates look like others, so that only texts get narrower: the widest first.
  for (let shown = all.length; shown > 0; shown--) {
    for (let limit = available; limit >= MIN_WIDTH; limit--) {
      const layout = all
        .slice(0, shown)
        .map((column) => (column.isText ? { ...column, width: Math.min(column.width, limit) } : column));
      if (widthOf(layout) <= available) return layout;
    }
  }
  return all.slice(0, 1);
}

/** Gives the rest of the line to the texts, because later rows may have longer ones. */
function widened(layout: Layout, available: number): Layout {
  const texts = layout.filter(({ isText }) => isText).length;
  const more = Math.floor(Math.max(0, available - widthOf(layout)) / texts);
  return layout.map((column) => (column.isText ? { ...column, width: column.width + more } : column));
}

function widthOf(layout: Layout): number {
  return layout.reduce((sum, { width }) => sum + width, (layout.length - 1) * GAP.length);
}

function line(layout: Layout, cells: readonly string[]): string {
  const texts = layout.map(({ width, isText, isNumber }, index) => {
    const cell = cells[index] ?? '';
    const text = isText ? cut(cell, width) : cell;
    // Side by side, characters may take another width than alone, and a later number may be wider than its column.
    const padding = ' '.repeat(Math.max(0, width - stringWidth(text)));
    return isNumber ? padding + text : text + padding;
  });
  return `${texts.join(GAP).trimEnd()}\n`;
}

const segmenter = new Intl.Segmenter();

function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let room = width - 1;
  for (const { segment } of segmenter.segment(text)) {
    room -= stringWidth(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept}…`;
}

function cellOf(column: Column, row: object): string {
  const value = column.value(row);
  const isList = Array.isArray(value) && value.every((element) => typeof element === 'string');
  return printable((isList ? value.join(', ') : textOf(value)) ?? '');
}
