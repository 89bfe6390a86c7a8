import { JsonArrayCutter } from '@hr/schemas/json-array';

const SLICE_BYTES = 32 * 1024;
const MAX_TEXT_BYTES = 1024 * 1024;

/** Takes an element of a list; `false` ends the list. */
export type EachElement = (element: unknown, index: number) => unknown;

/** Reads a JSON array of any size. It holds one slice of the bytes and its elements, and returns no text. */
export async function readElements(bytes: AsyncIterable<Uint8Array>, each: EachElement): Promise<''> {
  const cutter = new JsonArrayCutter();
  let index = 0;
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      const elements = cutter.push(chunk.subarray(at, at + SLICE_BYTES));
      for (const element of elements) if (each(element, index++) === false) return '';
    }
  }
  cutter.end();
  return '';
}

/** Reads a text of limited size. */
export async function readText(bytes: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) if ((size += chunk.length) <= MAX_TEXT_BYTES) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
