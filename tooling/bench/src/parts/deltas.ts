import { alternate, milliseconds } from '../alternate.ts';
import { amount, ratio } from '../figures.ts';
import type { Bench } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startService } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

const CHANGED_PERSONS = 1000;
/** With 200,000 persons there are ten million: more than a change of each person a week, for a year. */
const CHANGE_SETS_OF_PERSON = 50;
const TOGETHER = 20;
const DAY_MS = 86_400_000;

/** Dates the master data of some persons to now, and returns how many they are. */
export async function changePersons({ pool, persons }: Bench): Promise<number> {
  const changed = Math.min(CHANGED_PERSONS, persons);
  await pool.query(
    `with change as (insert into change_set (changed_at) values (now()) returning id)
    update person_view set master_change = (select id from change)
    where person_id in (select person_id from person_view order by md5(person_id) limit ${changed})`,
  );
  await pool.query('vacuum analyze person_view');
  return changed;
}

/** Fills the year before with change sets that nothing refers to any more. */
async function fillHistory({ pool, persons }: Bench): Promise<number> {
  const count = persons * CHANGE_SETS_OF_PERSON;
  await pool.query(`
    alter table change_set disable trigger change_set_dated;
    insert into change_set (changed_at)
      select now() - interval '365 days' + n / ${count}.0 * interval '364 days' from generate_series(1, ${count}) as n;
    alter table change_set enable trigger change_set_dated;
    insert into change_period (start, first, opened_at)
      select date_bin('15 minutes', changed_at, 'epoch') as start, min(id), min(changed_at) from change_set group by 1
      on conflict do nothing`);
  await pool.query('vacuum analyze change_set, change_period');
  // What is written now must not slow down what is measured.
  await pool.query('checkpoint');
  return count;
}

/** Lists of changes. */
export const deltas: Part = {
  name: 'deltas',
  histories: true,
  async run(bench) {
    const { url, token, turns } = bench;
    const changeSets = await fillHistory(bench);
    const changed = await changePersons(bench);
    await using service = await startService(url);
    const read = (path: string) => timeToLastByte({ origin: service.ready, token }, path);
    const readDeltas = async (times: number): Promise<void> => {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      for (let time = 0; time < times; time++) await read(`/api/v1/persons?changedSince=${yesterday}`);
    };
    const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
    const { delta, full } = await alternate(
      {
        // The average of many: a single one is mostly noise.
        delta: async () => (await milliseconds(() => readDeltas(TOGETHER))) / TOGETHER,
        full: () => read('/api/v1/persons'),
      },
      turns,
    );
    const { empty } = await alternate(
      { empty: () => read(`/api/v1/time-bookings?changedSince=${yesterday}`) },
      10 * turns,
    );
    const measure = `time of the changes of ${changed} persons`;
    return [
      ratio(
        {
          measure,
          against: 'time of the full list of persons',
          goal: '≤ 0.01',
          missedBecause:
            'The changed persons lie in almost as many pages of the table, and finding the change set and planning the list come on top. The goal is twice the share of these persons.',
        },
        delta,
        full,
      ),
      amount(
        {
          measure: `time of no changes of time bookings, with ${changeSets} change sets before`,
          unit: 'ms',
          goal: '≤ 5',
        },
        empty,
      ),
    ];
  },
};
