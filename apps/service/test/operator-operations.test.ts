import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { operatorOperations, type OperatorOperationId } from '../src/routes.ts';
import { uuidV7 } from '../src/audit/uuid-v7.ts';
import { openImportRun, type ImportRun } from '../src/feed/import-run.ts';
import { drivers } from './drivers.ts';
import { load, sharedService } from './service.ts';

/** The value of the only path parameter, if there is one, and what is sent. */
type Call = readonly [id: OperatorOperationId, path?: string, sent?: object | string];

const customFields = [{ name: 'Shoe size', type: 'STRING', textValue: '43' }];
const records = [
  { kind: 'person', id: 'p-1', lastName: 'Eins', customFields },
  { kind: 'mapping', personId: 'p-1', payrollContractId: 'c-1' },
  { kind: 'employment', payrollContractId: 'c-1', start: '2026-01-01', masterCostCenter: 'K1' },
  { kind: 'bankDetails', personId: 'p-1', iban: 'DE02120300000000202051' },
  { kind: 'salary', payrollContractId: 'c-1', year: 2026, month: 1, totalSalary: 3000 },
  { kind: 'keyNumber', personId: 'p-1', keyNumber: '77' },
  { kind: 'timeDay', personId: 'p-1', date: '2026-01-05', targetTime: 8 },
  { kind: 'absence', id: 'a-1', personId: 'p-1', startDate: '2026-01-06' },
  { kind: 'person', id: 'p-2' },
];

const copyRead = { id: uuidV7(), actingPerson: 'local#kim', purpose: 'screen person', elements: 1 };
const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', kid: 'one' }] };

// In this order: what one call changes, a later one shows.
const calls: readonly Call[] = [
  ['operatorCreateClient', '', { name: 'Payroll', scope: 'operator' }],
  ['operatorAllowCustomFields', 'CLIENT', { names: ['Shoe size', 'Parkausweis'] }],
  ['operatorGetCustomFields', 'CLIENT'],
  ['operatorListCustomFields'],
  ['operatorDenyCustomFields', 'CLIENT', { names: ['Parkausweis'] }],
  ['operatorRotateSecret', 'CLIENT'],
  ['operatorGrantClient', 'CLIENT', { operations: ['listPersons'], systems: ['time'], fields: ['id'] }],
  ['operatorListClients'],
  ['operatorSetClientKeys', 'CLIENT', { jwks }],
  ['operatorListClients'],
  ['operatorCreateClient', '', { name: 'Payroll', scope: 'operator', jwks }],
  ['operatorRotateSecret', 'CLIENT', { retire: true }],
  ['operatorSetClientKeys', 'CLIENT', { jwksUrl: 'https://keys.example.com/jwks' }],
  ['operatorSetClientKeys', 'CLIENT', { none: true }],
  ['operatorAddCredentialKey'],
  ['operatorRotateSecret', 'CLIENT', { retire: true }],
  ['operatorDisableClient', 'CLIENT'],
  ['operatorListClients'],
  ['operatorEnableClient', 'CLIENT', {}],
  ['operatorApproveVariablePayment', '1', { reason: 'Yes' }],
  ['operatorRejectVariablePayment', '2'],
  ['operatorListVariablePayments'],
  ['operatorListVariablePayments', '', '?state=submitted&limit=1'],
  ['operatorCountVariablePayments'],
  ['operatorExportPerson', 'p-1'],
  ['operatorExportPerson', 'p-2'],
  ['operatorErasePerson', 'p-1'],
  ['operatorExportPerson', 'p-1'],
  ['operatorReadmitPerson', 'p-1'],
  ['operatorImportFeed', '', '?source=night'],
  ['operatorListImports'],
  ['operatorGetImport', 'IMPORT'],
  ['operatorCancelImport', 'RUNNING'],
  ['operatorListWebhookEndpoints'],
  ['operatorPauseWebhookEndpoint', 'ENDPOINT'],
  ['operatorListWebhookEndpoints'],
  ['operatorResumeWebhookEndpoint', 'ENDPOINT', {}],
  ['operatorRemoveWebhookEndpoint', 'ENDPOINT'],
  ['operatorRecordReads', '', { events: [copyRead] }],
  ['operatorListAuditEvents', '', '?access=change'],
  ['operatorGetAuditHead'],
  ['operatorListAuditBlocks', '', '?number=1'],
  ['operatorVerifyAudit'],
  ['operatorListClientActivity', '', '?last=2'],
  ['operatorGetChanges', '', '?wait=1'],
];

test('every operation is called', () => {
  expect(new Set(calls.map(([id]) => id))).toEqual(new Set(Object.keys(operatorOperations)));
});

describe.each(drivers)('the responses of the operations of operators on %s', (driver) => {
  const service = sharedService(driver, { HR_WEBHOOK_NETWORKS: '127.0.0.0/8' }, records);
  let clientId: string;
  let importId = '';
  let endpointId = '';
  let running: ImportRun;

  beforeAll(async () => {
    await load(service.database, [{ kind: 'deletePerson', id: 'p-2' }]);
    ({ clientId } = await service.client());
    running = await openImportRun(service.database, { actor: 'a', requestId: 'r', sources: [] });
    const endpoint = { url: 'https://127.0.0.1:1/hook' };
    const created = await service.send('POST', '/api/v1/webhook-endpoints', { body: endpoint });
    endpointId = (created.body as { id: string }).id;
    // It fails, and that is told.
    await service.send('POST', `/api/v1/webhook-endpoints/${endpointId}/test`);
    await service.send('PATCH', '/api/v1/persons/p-1', { body: { addresses: [{ city: 'Bonn' }] } });
    for (const amount of [1, -2.5, 3]) {
      const path = '/api/v1/payrollContract/c-1/variable-payments?billingPeriod=2026-01';
      const headers = { 'idempotency-key': String(amount) };
      // oxlint-disable-next-line no-await-in-loop -- their ids follow their order
      await service.send('POST', path, { headers, body: { compensationComponentId: 'BONUS', amount } });
    }
  });
  afterAll(() => running.end('done'));

  const rows = calls.map(([id, path = '', sent = '']) => ({ id, path, sent }));
  test.each(rows)('$id $path $sent conforms to its model', async ({ id, path, sent }) => {
    const { method, path: template, response, list, ...operation } = operatorOperations[id];
    const known = { CLIENT: clientId, IMPORT: importId, RUNNING: running.id, ENDPOINT: endpointId };
    const ids = path.replace(/^[A-Z]+$/, (name) => known[name as keyof typeof known]);
    const [query, json] = typeof sent === 'string' ? [sent, undefined] : ['', sent];
    const body = 'stream' in operation ? '{"kind":"person","id":"p-3"}\n{}' : json;
    const headers: Record<string, string> = 'stream' in operation ? { 'content-type': operation.stream } : {};
    const address = template.replace(/\{\w+\}/, ids) + query;
    const answer = await service.send(method, address, { scope: 'operator', body, headers });
    expect(answer.status).toBe(200);
    if (id === 'operatorImportFeed') importId = (answer.body as { id: string }).id;
    const model: z.ZodType = list ? response.array().min(1) : response;
    // Equal, so that the service sends nothing that the model leaves out.
    expect(model.parse(answer.body)).toEqual(answer.body);
  });
});
