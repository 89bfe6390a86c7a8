import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate } from '../alternate.ts';
import { amount, ratio } from '../figures.ts';
import type { Part } from '../part.ts';
import { memoryOf, startProgram, startService } from '../processes.ts';
import type { MirrorReading } from '../servers/mirror-reader.ts';
import { changePersons } from './deltas.ts';

/** Each round starts a process, which no round before it warms up. */
const WARM_UPS = 0;

/** The local copy of `@hr/client/mirror`. */
export const mirror: Part = {
  name: 'mirror',
  async run(bench) {
    const { url, token, persons, turns } = bench;
    const folder = await mkdtemp(join(tmpdir(), 'hr-bench-'));
    await using service = await startService(url);
    const peaks: number[] = [];
    /** @param elements how many elements the list has; otherwise the measure is of something else */
    const run = async (elements: number, file: string): Promise<number> => {
      const program = new URL('../servers/mirror-reader.ts', import.meta.url);
      await using reader = await startProgram<MirrorReading>(program, [service.ready, token, file]);
      if (reader.ready.elements !== elements) throw new Error(`The list has ${reader.ready.elements} elements.`);
      if (file !== '') peaks.push(await memoryOf(reader.child, 'VmHWM'));
      return reader.ready.milliseconds;
    };
    let files = 0;
    const newFile = (): string => join(folder, `${++files}.db`);
    const { iterate, first } = await alternate(
      {
        iterate: () => run(persons, ''),
        first: () => run(persons, newFile()),
      },
      Math.min(turns, 3),
      WARM_UPS,
    );
    const peakOfFirst = [...peaks];
    // Its list of changes begins yesterday.
    const changed = await changePersons(bench);
    const synced = join(folder, `${files}.db`);
    const { delta } = await alternate({ delta: () => run(changed, synced) }, turns, WARM_UPS);
    await rm(folder, { recursive: true, force: true });
    const measure = 'time of the first sync of all persons';
    return [
      { measure, against: 'for await over the list', figure: ratio(first, iterate), unit: '×', goal: '≤ 2' },
      {
        measure: 'memory of a program with a first sync, at its peak',
        figure: amount(peakOfFirst),
        unit: 'MB',
        goal: '≤ 250',
      },
      { measure: `time of a sync of ${changed} changed persons`, figure: amount(delta), unit: 'ms', goal: '≤ 2000' },
    ];
  },
};
