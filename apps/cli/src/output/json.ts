import { inBlocks } from './in-blocks.ts';

type Pick = (element: unknown) => object;

/** One JSON array, `[]` for no element, with an element a line. */
export function jsonArray(elements: AsyncIterable<unknown>, pick?: Pick): AsyncIterable<string> {
  return inBlocks(arrayLines(elements, pick));
}

/** One line of JSON for each element (NDJSON). */
export function jsonLines(elements: AsyncIterable<unknown>, pick?: Pick): AsyncIterable<string> {
  return inBlocks(lines(elements, pick));
}

async function* arrayLines(elements: AsyncIterable<unknown>, pick: Pick | undefined): AsyncIterable<string> {
  let separator = '[';
  for await (const element of elements) {
    yield `${separator}\n${json(element, pick)}`;
    separator = ',';
  }
  yield separator === '[' ? '[]\n' : '\n]\n';
}

async function* lines(elements: AsyncIterable<unknown>, pick: Pick | undefined): AsyncIterable<string> {
  for await (const element of elements) yield `${json(element, pick)}\n`;
}

function json(element: unknown, pick: Pick | undefined): string {
  return JSON.stringify(pick ? pick(element) : element);
}
