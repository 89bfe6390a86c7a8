import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate } from '../alternate.ts';
import { amount, ratio } from '../figures.ts';
import type { Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { memoryOf, startProgram, startService } from '../processes.ts';
import type { MirrorReading } from '../servers/mirror-reader.ts';

const CHANGED_PERSONS = 1000;

/** Dates the master data of some persons to now. */
async function changePersons({ pool }: Bench, count: number): Promise<void> {
  await pool.query(
    `with change as (insert into change_set (changed_at) values (now()) returning id)
    update person_view set master_change = (select id from change)
    where person_id in (select person_id from person_view order by md5(person_id) limit ${count})`,
  );
  await pool.query('vacuum analyze person_view');
}

/** The local copy of `@hr/client/mirror`. */
export const mirror: Part = {
  name: 'mirror',
  async run(bench) {
    const { url, token, persons, turns } = bench;
    const changed = Math.min(CHANGED_PERSONS, persons);
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
    );
    const peakOfFirst = [...peaks];
    // Its list of changes begins yesterday.
    await changePersons(bench, changed);
    const synced = join(folder, `${files}.db`);
    const { delta } = await alternate({ delta: () => run(changed, synced) }, turns);
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
