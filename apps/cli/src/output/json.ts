import { printableJson } from './printable.ts';

type Pick = (element: unknown) => object;

/** One JSON array, `[]` without elements. Each element is in a line of its own. */
export async function* jsonArray(
  elements: AsyncIterable<unknown>,
  pick: Pick | undefined,
  isTerminal: boolean,
): AsyncIterable<string> {
  let separator = '[';
  for await (const element of elements) {
    yield `${separator}\n${json(element, pick, isTerminal)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

/** Each element as a line of JSON (NDJSON). */
export async function* jsonLines(
  elements: AsyncIterable<unknown>,
  pick: Pick | undefined,
  isTerminal: boolean,
): AsyncIterable<string> {
  for await (const element of elements) yield `${json(element, pick, isTerminal)}\n`;
}

function json(element: unknown, pick: Pick | undefined, isTerminal: boolean): string {
  const text = JSON.stringify(pick ? pick(element) : element);
  return isTerminal ? printableJson(text) : text;
}
