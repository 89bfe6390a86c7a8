import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';

/** What a process does again and again. */
export type ClientWork = keyof typeof works;

/** How often and how many at a time. */
export interface ClientRound {
  readonly count: number;
  readonly atATime: number;
}

/** What a round costs: the CPU time of the whole process, with its garbage collection. */
export interface ClientCost {
  readonly cpuMs: number;
  /** The number of elements of the last response. */
  readonly elements: number;
  /** The peak of the memory above that before the round. */
  readonly memoryMb: number;
}

const [, , what = '', baseUrl = ''] = process.argv;
const headers = { accept: 'application/json', authorization: 'Bearer token' };
const hr = createHrClient({ baseUrl, auth: async () => 'token', timeout: 600_000 });
const auth = clientCredentials({ baseUrl, clientId: 'bench', clientSecret: 'secret' });
const listUrl = `${baseUrl}/api/v1/persons`;
const callUrl = `${baseUrl}/api/v1/persons/100001/absences`;

async function raw(url: string): Promise<number> {
  const response = await fetch(url, { headers });
  return (JSON.parse(await response.text()) as unknown[]).length;
}

/** Each gives the number of elements. */
const works = {
  'raw list': () => raw(listUrl),
  'whole list': async () => (await hr.persons.list()).length,
  async 'iterated list'() {
    let count = 0;
    for await (const { id } of hr.persons.list()) if (id !== '') count++;
    return count;
  },
  'raw call': () => raw(callUrl),
  call: async () => (await hr.time.absences('100001')).length,
  getToken: async () => (await auth.getToken()).value.length,
} satisfies Readonly<Record<string, () => Promise<number>>>;

async function workOff({ count, atATime }: ClientRound, work: () => Promise<number>): Promise<number> {
  let left = count;
  let elements = 0;
  async function caller(): Promise<void> {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    while (left-- > 0) elements = await work();
  }
  await Promise.all(Array.from({ length: atATime }, caller));
  return elements;
}

async function round(todo: ClientRound): Promise<ClientCost> {
  const memory = process.memoryUsage.rss();
  const before = process.cpuUsage();
  const elements = await workOff(todo, works[what as ClientWork]);
  const { user, system } = process.cpuUsage(before);
  return {
    cpuMs: (user + system) / 1000,
    elements,
    memoryMb: process.resourceUsage().maxRSS / 1024 - memory / 2 ** 20,
  };
}

process.on('message', (todo: ClientRound) => void round(todo).then((cost) => process.send?.(cost)));
process.once('disconnect', () => process.exit());
process.send?.('');
