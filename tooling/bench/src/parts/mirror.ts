import { copyFile, mkdtempDisposable } from 'node:fs/promises';
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
    await using folder = await mkdtempDisposable(join(tmpdir(), 'hr-bench-'));
    await using service = await startService(url);
    const peaks: number[] = [];
    /** @param elements how many elements the list has; otherwise the measure is of something else */
    const run = async (elements: number, file: string): Promise<number> => {
      await using reader = await startProgram<MirrorReading>('mirror-reader', [service.ready, token, file]);
      if (reader.ready.elements !== elements) throw new Error(`The list has ${reader.ready.elements} elements.`);
      if (file !== '') peaks.push(await memoryOf(reader.child, 'VmHWM'));
      return reader.ready.milliseconds;
    };
    let files = 0;
    const newFile = (): string => join(folder.path, `${++files}.db`);
    const rounds = { iterate: () => run(persons, ''), first: () => run(persons, newFile()) };
    const { iterate, first } = await alternate(rounds, Math.min(turns, 3), WARM_UPS);
    const peakOfFirst = [...peaks];
    const synced = join(folder.path, `${files}.db`);
    const changed = await changePersons(bench);
    const sync = async (): Promise<number> => {
      // A sync goes on from the one before.
      const file = newFile();
      await copyFile(synced, file);
      return run(changed, file);
    };
    const { delta } = await alternate({ delta: sync }, turns, WARM_UPS);
    const measure = 'time of the first sync of all persons';
    const ofChanged = `time of a sync of ${changed} changed persons`;
    return [
      ratio({ measure, against: 'for await over the list', goal: '≤ 2' }, first, iterate),
      amount({ measure: 'memory of a program with a first sync, at its peak', unit: 'MB', goal: '≤ 250' }, peakOfFirst),
      amount({ measure: ofChanged, unit: 'ms', goal: '≤ 2000' }, delta),
    ];
  },
};
