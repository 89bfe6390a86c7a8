import { Readable } from 'node:stream';
import { fastify } from 'fastify';
import { Pool } from 'pg';
import { isValidJwt } from './jwt.ts';

// What a good engineer would write in an hour: Fastify and pg, a JWT, JSON columns, and schemas of the responses. Persons
// are in a column of type jsonb; absences and salaries are read as json from the tables of the service.

const PAGE_ROWS = 1000;

const pool = new Pool({ connectionString: process.argv[2], max: 10 });
const server = fastify();

server.addHook('onRequest', async ({ headers: { authorization = '' } }, reply) => {
  if (!isValidJwt(authorization.replace('Bearer ', ''))) return reply.code(401).send({ error: 'invalid token' });
  return undefined;
});

async function* allPersons(): AsyncGenerator<string> {
  let last = '';
  let separator = '[';
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one page after the other
    const { rows } = await pool.query<{ id: string; person: object }>(
      'select id, person from hand_written_person where id > $1 order by id limit $2',
      [last, PAGE_ROWS],
    );
    for (const { id, person } of rows) {
      yield separator + JSON.stringify(person);
      separator = ',';
      last = id;
    }
    if (rows.length < PAGE_ROWS) break;
  }
  yield ']';
}
server.get('/api/v1/persons', (_request, reply) => reply.type('application/json').send(Readable.from(allPersons())));

const text = { type: 'string' };
const number = { type: 'number' };
const arrayOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });

const absences = arrayOf({ id: text, personId: text, startDate: text, endDate: text, amount: number, key: text });
server.get<{ Params: { id: string } }>(
  '/api/v1/persons/:id/absences',
  { schema: { response: { 200: absences } } },
  async ({ params: { id } }, reply) => {
    const known = await pool.query('select from person_view where person_id = $1', [id]);
    if (known.rowCount === 0) return reply.code(404).send();
    const { rows } = await pool.query<{ absence: object }>(
      'select absence::json from absence where person_id = $1 and absence is not null order by start_date, id',
      [id],
    );
    return rows.map(({ absence }) => absence);
  },
);

const values = arrayOf({ compensationComponentId: text, value: number });
const salaries = arrayOf({
  payrollContractId: text,
  year: number,
  month: number,
  totalSalary: number,
  baseSalary: number,
  values,
});
server.get<{ Params: { id: string } }>(
  '/api/v1/payrollContract/:id/salaries/history',
  { schema: { response: { 200: salaries } } },
  async ({ params: { id } }, reply) => {
    const known = await pool.query('select from contract where payroll_contract_id = $1', [id]);
    if (known.rowCount === 0) return reply.code(404).send();
    const { rows } = await pool.query<{ entry: object }>(
      'select entry::json from salary_entry where payroll_contract_id = $1 order by month',
      [id],
    );
    return rows.map(({ entry }) => entry);
  },
);

process.send?.(await server.listen({ port: 0, host: '127.0.0.1' }));
process.once('disconnect', () => process.exit());
