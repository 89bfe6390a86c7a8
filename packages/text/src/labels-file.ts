import { textOfCell } from '@hr/schemas/rules';
import { labelKinds, type Label } from './labels.ts';
import { CsvQuotesError, readCsv } from './read-csv.ts';
import { csv, type Spreadsheet } from './write-csv.ts';

const columns = ['kind', 'key', 'en', 'de', 'color'] as const;
const required = ['kind', 'key'] as const;
const MAX_LENGTH = 255;

/** What is wrong in a line of a file of labels. */
export interface LabelFault {
  readonly line: number;
  readonly code:
    | 'quotes'
    | 'missing-column'
    | 'unknown-column'
    | 'repeated-column'
    | 'surplus-cells'
    | 'wrong-kind'
    | 'missing-key'
    | 'missing-name'
    | 'too-long'
    | 'wrong-character'
    | 'wrong-color'
    | 'wrong-currency'
    | 'second-currency'
    | 'repeated-key';
  /** What is wrong and what to do, in English sentences. They contain no value. */
  readonly detail: string;
}

/**
 * Reads labels from CSV with the columns `kind`, `key`, `en`, `de` and `color`, in any order. The last three are optional.
 * A spreadsheet may have written it.
 *
 * @returns The labels without those of lines that are wrong.
 */
export function readLabels(content: string): { readonly labels: Label[]; readonly faults: LabelFault[] } {
  const labels: Label[] = [];
  const faults: LabelFault[] = [];
  const seen = new Set<string>();
  const add = (line: number, [code, detail]: Fault): void => void faults.push({ line, code, detail });
  try {
    const { header, records } = readCsv(content);
    const headings = header.map((cell) => textOfCell(cell).toLowerCase());
    for (const fault of headerFaults(headings)) add(1, fault);
    if (faults.length > 0) return { labels, faults };
    for (const [line, record] of records) {
      const label = labelOf(headings, record);
      const fault = record.length > headings.length ? surplusCells : faultOf(label, seen);
      if (fault) {
        add(line, fault);
        continue;
      }
      labels.push(label);
      seen.add(label.kind).add(nameOf(label));
    }
  } catch (error) {
    if (!(error instanceof CsvQuotesError)) throw error;
    add(error.line, ['quotes', `The line ${error.message}. Correct it.`]);
  }
  return { labels, faults };
}

/** Writes labels as CSV that {@link readLabels} reads, and that a spreadsheet of the language opens. */
export function labelsCsv(labels: readonly Label[], spreadsheet: Spreadsheet): string {
  const columnsOfLabels = columns.map((name) => ({ name, value: (label: Label) => label[name] || undefined }));
  return csv(columnsOfLabels, labels, spreadsheet);
}

type Fault = readonly [code: LabelFault['code'], detail: string];

const surplusCells: Fault = [
  'surplus-cells',
  'The line has more cells than the header. Put a text with a delimiter in quotes.',
];

function* headerFaults(headings: readonly string[]): Generator<Fault> {
  for (const name of required) {
    if (!headings.includes(name)) yield ['missing-column', `The column ${name} is missing. Add it.`];
  }
  for (const [index, heading] of headings.entries()) {
    const place = `Column ${index + 1}`;
    if (headings.indexOf(heading) < index) {
      yield ['repeated-column', `${place} has the name of another one. Remove one of them.`];
    } else if (!(columns as readonly string[]).includes(heading)) {
      yield ['unknown-column', `${place} must be one of ${columns.join(', ')}. Remove it, or correct its name.`];
    }
  }
}

function labelOf(headings: readonly string[], record: readonly string[]): Label {
  const cells = columns.map((name) => [name, textOfCell(record[headings.indexOf(name)] ?? '').trim()] as const);
  const label = Object.fromEntries(cells) as unknown as Label;
  return { ...label, color: label.color.toLowerCase() };
}

function nameOf({ kind, key }: Label): string {
  return `${kind}/${key}`;
}

/** @param seen - The kinds and the names of the labels before it. */
function faultOf(label: Label, seen: ReadonlySet<string>): Fault | undefined {
  const { kind, key, en, de, color } = label;
  if (!labelKinds.includes(kind)) return ['wrong-kind', `The kind must be one of ${labelKinds.join(', ')}.`];
  if (key === '') return ['missing-key', 'The key is missing. Fill it in, or delete the line.'];
  if ([key, en, de].some(({ length }) => length > MAX_LENGTH)) {
    return ['too-long', `A text has more than ${MAX_LENGTH} characters. Shorten it.`];
  }
  if (/[\p{Cc}\p{Bidi_Control}]/u.test(key + en + de)) {
    return ['wrong-character', 'A text has a line break, or a character that controls a text. Remove it.'];
  }
  if (!/^(?:#[\da-f]{6})?$/.test(color)) {
    return ['wrong-color', 'The color must be like #3b6fb5. Correct it, or leave it empty.'];
  }
  if (seen.has(nameOf(label))) {
    return ['repeated-key', 'Another line has the same kind and key. Delete one of them.'];
  }
  if (kind !== 'currency') {
    const isEmpty = en === '' && de === '' && color === '';
    return isEmpty ? ['missing-name', 'The line has no name. Fill in en or de, or delete the line.'] : undefined;
  }
  if (!/^[A-Z]{3}$/.test(key)) return ['wrong-currency', 'The key of a currency must be its code, such as EUR.'];
  const isSecond = seen.has(kind);
  return isSecond ? ['second-currency', 'All amounts have one currency. Delete one of the currencies.'] : undefined;
}
