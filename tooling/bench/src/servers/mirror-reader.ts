import { createHrClient } from '@hr/client';
import { openMirror } from '@hr/client/mirror';

/** What the program has done, and how long it took. */
export interface MirrorReading {
  readonly milliseconds: number;
  readonly elements: number;
}

// Reads the list of persons, or syncs a mirror with it. It then keeps running, so that its memory can be read.
process.channel?.ref();
const [, , baseUrl = '', token = '', file = ''] = process.argv;
const hr = createHrClient({ baseUrl, auth: async () => token, timeout: false });

async function read(): Promise<number> {
  let count = 0;
  if (file === '') {
    for await (const { id } of hr.persons.list()) if (id !== '') count++;
    return count;
  }
  const mirror = openMirror({ file, source: 'bench' });
  const { added, changed, unchanged } = await mirror.sync(hr, 'persons');
  mirror.close();
  return added + changed + unchanged;
}

const start = performance.now();
const elements = await read();
process.send?.({ milliseconds: performance.now() - start, elements } satisfies MirrorReading);
