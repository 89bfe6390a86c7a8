import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import { importFeed } from 'service/src/feed/import-feed.ts';
import { migrate } from 'service/src/database/migrate.ts';
import { openDatabase } from 'service/src/database/open-database.ts';
import { milliseconds } from '../alternate.ts';
import { drawGrowth, type Curve } from '../draw-growth.ts';
import { amount, quantile, type Row } from '../figures.ts';
import { templates } from '../load-company.ts';
import { newToken, openPool } from '../open-bench.ts';
import type { Part } from '../part.ts';
import { startService } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

const STEP = 10;
const STEPS = 3;
/** No divisor of a power of ten, so each person comes once, in an order that is not that of the ids. */
const STRIDE = 7919;
const CHANGED_PERSONS = 1000;
const READS = 200;
const PICTURE_PERSONS = 1_000_000;
/** What a tenfold company may cost of what is to stay as it is. */
const FLAT = 1.5;
/** What it may cost of what is to grow with it; the rest is noise. */
const LINEAR = 11.5;

/** How each measure may grow with the number of persons. */
const measures = {
  'import, s': 'linear',
  'size of the database, MB': 'linear',
  'full list of persons, s': 'linear',
  'vacuum, s': 'linear',
  'changes of 1,000 persons, ms': 'flat',
  'no changes, ms': 'flat',
  'salary history of a contract, ms': 'flat',
} as const;
type Measured = Record<keyof typeof measures, number>;

/** Each person with their bank details, contracts and salaries of two months. */
function* feedOf(persons: number): Generator<Buffer> {
  const records = templates.map((member) =>
    demoRecords({ ...member, salaries: member.salaries.slice(-2), absences: [], timeDays: [] }).map((record) =>
      JSON.stringify(record),
    ),
  );
  for (let count = 0; count < persons; count++) {
    const person = (count * STRIDE) % persons;
    const prefix = `${String(Math.floor(person / templates.length)).padStart(6, '0')}-`;
    const lines = (records[person % templates.length] ?? []).map((line) =>
      line.replaceAll(/"(id|personId|payrollContractId)":"/g, `"$1":"${prefix}`),
    );
    yield Buffer.from(`${lines.join('\n')}\n`);
  }
}

async function measureCompany(serverUrl: string, persons: number): Promise<Measured> {
  const name = `growth_${persons}`;
  const url = serverUrl.replace(/[^/]+$/, name) as `postgres://${string}`;
  const main = openPool(serverUrl);
  await main.query(`create database ${name}`);
  const database = await openDatabase(url);
  const pool = openPool(url);
  try {
    await migrate(database);
    const imported = await milliseconds(() => importFeed(database, [{ name, bytes: Readable.from(feedOf(persons)) }]));
    const vacuumed = await milliseconds(() => pool.query('vacuum analyze'));
    const { rows } = await pool.query<{ size: string }>('select pg_database_size(current_database()) as size');
    await using service = await startService(url);
    const caller = { origin: service.ready, token: await newToken(database, 'api:use') };
    const cursorOf = async (): Promise<string> => {
      const response = await fetch(`${caller.origin}/api/v1/changes`, {
        headers: { authorization: `Bearer ${caller.token}` },
      });
      return encodeURIComponent(((await response.json()) as { cursor: string }).cursor);
    };
    const median = async (path: () => string, times: number): Promise<number> => {
      const taken = [];
      // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
      for (let time = 0; time < times; time++) taken.push(await timeToLastByte(caller, path()));
      return quantile(taken, 0.5);
    };
    const full = await median(() => '/api/v1/persons', 3);
    const before = await cursorOf();
    const changed = Array.from({ length: Math.min(CHANGED_PERSONS, persons) }, (_, index) => {
      const [prefix, member] = [
        String(Math.floor((index * persons) / CHANGED_PERSONS / templates.length)),
        templates[index % templates.length],
      ];
      return { kind: 'keyNumber', personId: `${prefix.padStart(6, '0')}-${member?.person.id}`, keyNumber: `9${index}` };
    });
    const bytes = Readable.from([Buffer.from(changed.map((record) => `${JSON.stringify(record)}\n`).join(''))]);
    await importFeed(database, [{ name: 'changes', bytes }]);
    const changes = await median(() => `/api/v1/persons?after=${before}`, 20);
    const now = await cursorOf();
    const none = await median(() => `/api/v1/persons?after=${now}`, READS);
    let turn = 0;
    const history = await median(() => {
      const prefix = String(Math.floor(((turn++ * STRIDE) % persons) / templates.length)).padStart(6, '0');
      return `/api/v1/payrollContract/${prefix}-${templates[0]?.payrollContractIds[0]}/salaries/history`;
    }, READS);
    return {
      'import, s': imported / 1000,
      'size of the database, MB': Number(rows[0]?.size) / 1e6,
      'full list of persons, s': full / 1000,
      'vacuum, s': vacuumed / 1000,
      'changes of 1,000 persons, ms': changes,
      'no changes, ms': none,
      'salary history of a contract, ms': history,
    };
  } finally {
    await Promise.all([pool.end(), database.close()]);
    await main.query(`drop database ${name} with (force)`);
    await main.end();
  }
}

/** Measures companies each ten times as large as the one before, up to `persons`. */
export const growth: Part = {
  name: 'growth',
  async run({ url, persons }) {
    const sizes = Array.from({ length: STEPS }, (_, index) => Math.round(persons / STEP ** (STEPS - 1 - index)));
    const measured = await Array.fromAsync(sizes, (size) => measureCompany(url, size));
    const curves = Object.entries(measures).map(([name, law]): Curve => {
      const values = measured.map((at) => at[name as keyof Measured]);
      return { name, law, values };
    });
    if (persons >= PICTURE_PERSONS) {
      await writeFile(new URL('../../../../docs/growth.svg', import.meta.url), drawGrowth(sizes, curves));
    }
    return curves.flatMap(({ name, law, values }) => rowsOf(name, law, sizes, values));
  },
};

function rowsOf(name: string, law: 'linear' | 'flat', sizes: readonly number[], values: readonly number[]): Row[] {
  const goal = `≤ ${law === 'flat' ? FLAT : LINEAR}` as const;
  return sizes.slice(1).map((size, index) => {
    const [before = Number.NaN, after = Number.NaN] = values.slice(index);
    const figures = [before, after].map((value) => Number(value.toPrecision(3))).join(' → ');
    const measure = `${name}, from ${sizes[index]?.toLocaleString('en')} to ${size.toLocaleString('en')} persons (${figures})`;
    return { ...amount({ measure, unit: '', goal }, [after / before]), unit: '×' };
  });
}
