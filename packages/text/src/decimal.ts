/** The sign before the decimals of a number. */
export type DecimalSign = 'comma' | 'point';

/** Two numbers that a text may stand for, by the sign before the decimals. */
export type NumberQuestion = Readonly<Record<DecimalSign, number>>;

const plain = /^[-−]?\d+$/;
// Spreadsheets write the smallest numbers as 1E-7.
const decimals = /^[-−]?\d+(?:[.,]\d+|(?:[.,]\d+)?e-\d+)$/i;
/** Groups of three digits, with a separator that is always the same, and decimals behind another one. */
const grouped = /^[-−]?\d{1,3}(?:([.,'’ ])\d{3})(?:\1\d{3})*(?:(?!\1)[.,]\d+)?$/;
const either = /^[-−]?[1-9]\d{0,2}[.,]\d{3}$/;

/**
 * Reads a number in German or English notation. `1.234` and `1,234` may each be two numbers, so the result is a question
 * unless the sign before the decimals is given. All others have one meaning, whatever sign is given. It is undefined if the
 * text is no number.
 */
export function readNumber(text: string, sign?: DecimalSign): number | NumberQuestion | undefined {
  const value = text.replaceAll(/[\u00A0\u202F]/g, ' ').trim();
  if (either.test(value)) {
    const isComma = value.includes(',');
    const [decimal, whole] = [toNumber(value.replace(',', '.')), toNumber(value.replace(/[.,]/, ''))];
    const question = { comma: isComma ? decimal : whole, point: isComma ? whole : decimal };
    return sign === undefined ? question : question[sign];
  }
  if (plain.test(value)) return toNumber(value);
  if (decimals.test(value)) return toNumber(value.replace(',', '.'));
  const [, separator] = grouped.exec(value) ?? [];
  return separator === undefined ? undefined : toNumber(value.replaceAll(separator, '').replace(',', '.'));
}

function toNumber(text: string): number {
  return Number(text.replace('−', '-'));
}
