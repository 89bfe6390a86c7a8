import { finished } from 'node:stream/promises';
import { to as copyTo } from 'pg-copy-streams';
import type { Pool } from 'pg';
import { literal } from 'service/src/database/sql.ts';
import { personList } from 'service/src/persons/person-list.ts';
import { alternate, milliseconds } from '../alternate.ts';
import { ratio } from '../figures.ts';
import type { Part } from '../part.ts';
import { startProgram, startService } from '../processes.ts';
import { timeToLastByte } from '../requests.ts';
import { signJwt } from '../servers/jwt.ts';

const PATH = '/api/v1/persons';
const persons = personList({ customFields: [] }).map(literal).join('');

/** A token that the hand-written server takes for a day. */
export const jwt = (): string => signJwt({ exp: Date.now() / 1000 + 86_400, scope: 'api:use' });

async function copyPersons(pool: Pool): Promise<void> {
  const client = await pool.connect();
  await finished(
    client.query(copyTo(`copy (select element from (${persons}) as list order by key) to stdout`)).resume(),
  );
  client.release();
}

/** The full list of persons, and two other ways to send it. */
export const lists: Part = {
  name: 'lists',
  async run({ url, token, pool, turns }) {
    await pool.query(`create table if not exists hand_written_person (id text collate "C" primary key, person jsonb);
      insert into hand_written_person select key, element::jsonb from (${persons}) as list on conflict do nothing`);
    await pool.query('vacuum analyze hand_written_person');
    await using service = await startService(url);
    await using other = await startProgram<string>('hand-written-server', [url]);
    const times = await alternate(
      {
        service: () => timeToLastByte({ origin: service.ready, token }, PATH),
        copy: () => milliseconds(() => copyPersons(pool)),
        handWritten: () => timeToLastByte({ origin: other.ready, token: jwt() }, PATH),
      },
      turns,
    );
    const full = 'time of the full list of persons';
    const measure = 'time of the list by a hand-written Fastify and pg (jsonb, pages of 1,000)';
    return [
      ratio({ measure: full, against: 'COPY of the same text', goal: '≤ 1.3' }, times.service, times.copy),
      ratio({ measure, against: full, goal: '≥ 4' }, times.handWritten, times.service),
    ];
  },
};
