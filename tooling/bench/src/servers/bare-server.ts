import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { PersonPatch, VariablePaymentRequest } from '@hr/schemas';
import { Pool, type ClientBase } from 'pg';
import { listAbsences } from 'service/src/time/absences.ts';
import { recordEvents } from 'service/src/audit/audit-events.ts';
import type { Queries } from 'service/src/database/database.ts';
import type { JsonAnswer } from 'service/src/database/json-answer.ts';
import { updatePerson } from 'service/src/persons/update-person.ts';
import { listSalaryHistory } from 'service/src/payroll/salary-history.ts';
import { submitVariablePayment } from 'service/src/payroll/submit-variable-payment.ts';

// The statements of the service behind node:http and pg: no token, no checks, no log; reads are not audited.

const pool = new Pool({ connectionString: process.argv[2], max: 10 });

function queries(client: Pool | ClientBase): Queries {
  return { query: async (text, values) => (await client.query(text, values && [...values])).rows };
}

async function change(
  operation: string,
  work: (transaction: Queries) => Promise<JsonAnswer | undefined>,
): Promise<JsonAnswer | undefined> {
  const client = await pool.connect();
  const transaction = queries(client);
  await client.query('begin');
  const changed = await work(transaction);
  const event = { actor: 'bench', operation, requestId: randomUUID(), access: 'change', elements: 1 } as const;
  await recordEvents(transaction, [{ ...event, ...changed?.subject }]);
  await client.query('commit');
  client.release();
  return changed;
}

async function answer(request: IncomingMessage): Promise<JsonAnswer | undefined> {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://bare');
  const id = pathname.split('/')[4] ?? '';
  if (pathname.endsWith('/absences')) return listAbsences(queries(pool), id, {});
  if (pathname.endsWith('/history')) return listSalaryHistory(queries(pool), id, {});
  const body = await json(request);
  if (request.method === 'PATCH') {
    return change('updatePerson', (transaction) =>
      updatePerson(transaction, id, body as PersonPatch, { customFields: [] }),
    );
  }
  const billingPeriod = searchParams.get('billingPeriod') ?? '';
  const submission = {
    payrollContractId: id,
    billingPeriod,
    payment: body as VariablePaymentRequest,
    clientId: 'bench',
  };
  return change('submitVariablePayment', (transaction) => submitVariablePayment(transaction, submission));
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const found = await answer(request);
  response.writeHead(found ? 200 : 404, { 'content-type': 'application/json' }).end(found?.json ?? '');
}

const server = createServer((request, response) => void respond(request, response));
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit());
