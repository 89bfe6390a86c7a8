import { once } from 'node:events';
import { alternate, type Round } from '../alternate.ts';
import { amount, ratio, type Row } from '../figures.ts';
import type { Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startProgram, type Running } from '../processes.ts';
import type { ClientCost, ClientRound, ClientWork } from '../servers/client-caller.ts';

const MANY_PERSONS = 5;
const COLD_CALLERS = 10_000;
const TOKENS_PER_MS = 1000;
const EMPTY_MODULE = 'data:text/javascript,';

/** `@hr/client` against what it stands on, on a server that does nothing else. */
export const client: Part = {
  name: 'client',
  async run(bench) {
    await using server = await startProgram<string>('client-server');
    return [
      ...(await lists(`${server.ready}/${bench.persons}`, bench)),
      await memory(server.ready, bench),
      await calls(`${server.ready}/0`, bench, 1, 'one at a time'),
      await calls(`${server.ready}/0`, bench, 16, '16 at a time'),
      ...(await tokens(`${server.ready}/0`, bench)),
      await imports(bench),
    ];
  },
};

async function lists(baseUrl: string, { persons, turns }: Bench): Promise<Row[]> {
  await using callers = new AsyncDisposableStack();
  const list = async (work: ClientWork) => {
    const caller = callers.use(await startCaller(work, baseUrl));
    return async () => {
      const { cpuMs, elements } = await round(caller, { count: 1, atATime: 1 });
      if (elements !== persons) throw new Error(`${work} gave ${elements} elements.`);
      return cpuMs;
    };
  };
  const times = await alternate(
    {
      raw: await list('raw list'),
      whole: await list('whole list'),
      iterated: await list('iterated list'),
    },
    Math.min(turns, 3),
  );
  const against = 'JSON.parse(await response.text())';
  const whole = 'CPU time of the awaited list of persons';
  const iterated = 'CPU time of for await over the list of persons';
  return [
    ratio({ measure: whole, against, goal: '≤ 1.25' }, times.whole, times.raw),
    ratio({ measure: iterated, against, goal: '≤ 1.3' }, times.iterated, times.raw),
  ];
}

async function memory(origin: string, { persons, turns }: Bench): Promise<Row> {
  const baseUrl = `${origin}/${persons * MANY_PERSONS}`;
  const values = await Array.fromAsync({ length: Math.min(turns, 3) }, async () => {
    await using caller = await startCaller('iterated list', baseUrl);
    return (await round(caller, { count: 1, atATime: 1 })).memoryMb;
  });
  const measure = `memory above the start with for await over ${(persons * MANY_PERSONS).toLocaleString('en')} persons`;
  const missedBecause =
    'It is garbage that V8 has not collected yet: other settings of V8 change it threefold, and the loop holds one chunk of the response.';
  return amount({ measure, unit: 'MB', goal: '≤ 32', missedBecause }, values);
}

async function calls(baseUrl: string, bench: Bench, atATime: number, how: string): Promise<Row> {
  await using callers = new AsyncDisposableStack();
  const call = async (work: ClientWork): Promise<Round> => {
    const caller = callers.use(await startCaller(work, baseUrl));
    return async () => (await round(caller, { count: bench.roundMs, atATime })).cpuMs;
  };
  const rounds = { raw: await call('raw call'), call: await call('call') };
  const times = await alternate(rounds, bench.turns, bench.warmUps);
  const measure = `CPU time of calls of absences, ${how}`;
  const missedBecause =
    'A call also checks the response, its time and its token, and reports events. On a machine where fetch costs more, it was 1.05 to 1.25.';
  return ratio({ measure, against: 'fetch and JSON.parse', goal: '≤ 1.25', missedBecause }, times.call, times.raw);
}

async function tokens(baseUrl: string, { turns, roundMs, warmUps }: Bench): Promise<Row[]> {
  await using caller = await startCaller('getToken', baseUrl);
  await round(caller, { count: COLD_CALLERS, atATime: COLD_CALLERS });
  const requests = Number(await (await fetch(`${baseUrl}/api/token-requests`)).text());
  const count = roundMs * TOKENS_PER_MS;
  const cached = async () => ((await round(caller, { count, atATime: 1 })).cpuMs * 1000) / count;
  const times = await alternate({ cached }, turns, warmUps);
  return [
    amount({ measure: 'CPU time of getToken with a cached token', unit: 'µs', goal: '≤ 0.5' }, times.cached),
    amount({ measure: `token requests of ${COLD_CALLERS} callers at once`, unit: '', goal: '≤ 1' }, [requests]),
  ];
}

/** The import of what is built, since Node.js would otherwise spend the time on types. */
async function imports({ turns }: Bench): Promise<Row> {
  const times = await alternate({ empty: importTime(EMPTY_MODULE), client: importTime('@hr/client') }, turns);
  const above = times.client.map((time, index) => time - (times.empty[index] ?? Number.NaN));
  const measure = 'CPU time of the import of @hr/client above an empty module';
  return amount({ measure, unit: 'ms', goal: '≤ 25' }, above);
}

function importTime(specifier: string): Round {
  return async () => {
    await using timer = await startProgram<number>('import-timer', [specifier], []);
    return timer.ready;
  };
}

function startCaller(work: ClientWork, baseUrl: string): Promise<Running<string>> {
  return startProgram('client-caller', [work, baseUrl]);
}

async function round({ child }: Running<unknown>, todo: ClientRound): Promise<ClientCost> {
  child.send(todo);
  const [cost] = (await once(child, 'message')) as [ClientCost];
  return cost;
}
