import { createHrClient } from '@hr/client';
import { alternate, milliseconds } from '../alternate.ts';
import { ratio, type Row } from '../figures.ts';
import type { Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';

const MAX_BYTES = 16 * 2 ** 20;
const BYTES_OF_PERSON = 100;
const CHUNK_BYTES = 64 * 1024;

/** JSON arrays that a hostile service would send, of about so many bytes. */
const bodies: Readonly<Record<string, (bytes: number) => string>> = {
  'faults in one element': (bytes) => `[{"id":"1","customFields":[${repeated('{}', bytes)}]}]`,
  'elements of a wrong type': (bytes) => `[${repeated('1', bytes)}]`,
  'broken bounds in every element': (bytes) => `[${repeated(JSON.stringify(unbounded), bytes)}]`,
  'other names in every element': (bytes) => {
    let number = 0;
    return `[${repeated(() => `{"id":"1","x${number++}":1,"y${number % 1000}":2}`, bytes)}]`;
  },
  'lone surrogates in every element': (bytes) => `[${repeated(String.raw`{"id":"1","lastName":"\ud83d"}`, bytes)}]`,
  'white space': (bytes) => `[{"id":"1"}${' '.repeat(bytes)}]`,
};
const long = 'x'.repeat(401);
const unbounded = {
  id: '1',
  firstName: long,
  lastName: long,
  jobTitle: long,
  citizenship: 'x',
  status: 'y',
  gender: 'z',
};

/** The worst responses against the cost of reading them at all. */
export const hostile: Part = {
  name: 'hostile',
  run: (bench) => Array.fromAsync(Object.entries(bodies), ([name, make]) => row(name, make, bench)),
};

async function row(name: string, make: (bytes: number) => string, { persons, turns }: Bench): Promise<Row> {
  const text = make(Math.min(MAX_BYTES, persons * BYTES_OF_PERSON));
  const bytes = new TextEncoder().encode(text);
  const fetch = async () => new Response(chunked(bytes));
  const hr = createHrClient({ baseUrl: 'https://hr.example.com', auth: () => 'token', fetch, timeout: false });
  const decoder = new TextDecoder();
  const times = await alternate(
    {
      raw: () => milliseconds(async () => JSON.parse(decoder.decode(bytes)) as unknown),
      list: () => milliseconds(() => Promise.allSettled([hr.persons.list()])),
    },
    turns,
  );
  const missedBecause =
    'JSON.parse reads long texts and white space at the speed of memory; the client also searches their end and copies them. 16 MB took less than 0.1 s.';
  const measure = `time of a list with ${name}`;
  return ratio({ measure, against: 'JSON.parse', goal: '≤ 3', missedBecause }, times.list, times.raw);
}

function repeated(element: string | (() => string), bytes: number): string {
  const elements: string[] = [];
  for (let size = 0; size < bytes; size += (elements.at(-1)?.length ?? 0) + 1) {
    elements.push(typeof element === 'string' ? element : element());
  }
  return elements.join(',');
}

function chunked(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, (at += CHUNK_BYTES)));
      else controller.close();
    },
  });
}
