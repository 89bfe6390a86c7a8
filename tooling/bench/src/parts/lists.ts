import { finished } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Pool } from 'pg';
import { listPersons } from 'service/src/persons/persons.ts';
import { alternate, milliseconds } from '../alternate.ts';
import { ratio } from '../figures.ts';
import type { Part } from '../part.ts';
import { startService } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';

const PATH = '/api/v1/persons';
const { text: persons } = listPersons({ customFields: [] });

async function copyPersons(pool: Pool): Promise<void> {
  const client = await pool.connect();
  await finished(
    client.query(copyTo(`copy (select element from (${persons}) as list order by key) to stdout`)).resume(),
  );
  client.release();
}

/** The full list of persons. */
export const lists: Part = {
  name: 'lists',
  async run({ url, token, pool, turns }) {
    await using service = await startService(url);
    const times = await alternate(
      {
        service: () => timeToLastByte({ origin: service.ready, token }, PATH),
        copy: () => milliseconds(() => copyPersons(pool)),
      },
      turns,
    );
    const measure = 'time of the full list of persons';
    return [ratio({ measure, against: 'COPY of the same text', goal: '≤ 1.3' }, times.service, times.copy)];
  },
};
