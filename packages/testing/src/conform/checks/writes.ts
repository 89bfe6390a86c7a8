import { randomUUID } from 'node:crypto';
import { VariablePayment, type PersonPatch } from '@hr/schemas';
import { sameJson } from '../../fake/compare.ts';
import { fixtures } from '../../fixtures/fixtures.ts';
import { rowOf, textOf, type Row } from '../../model/lists.ts';
import { must, NotTried, should, type Check, type Deviation } from '../check.ts';
import type { CloudRequest } from '../cloud-request.ts';
import { idOf, unknownName, type ConformRun } from '../conform-run.ts';
import { keptOf } from '../journal.ts';
import { namesToTry, today } from '../query-names.ts';
import { systemsIn, systemsOf } from './changes.ts';
import { rejectBodies } from './requests.ts';

const MAX_PATCHES = 10;
const { personPatch, bankDetails } = fixtures();
const [street = {}] = personPatch.with('onlyAddresses').build().addresses ?? [];
const [box = {}] = personPatch.with('onlyAddresses', 'postOfficeBox').build().addresses ?? [];
const account = bankDetails.build();

function patchRequest(run: ConformRun): CloudRequest {
  const { allowWrites: value } = run.options;
  if (value === undefined) throw new NotTried('writes are not permitted: --allow-writes');
  return run.request('updatePerson', { parameters: { id: { value, from: 'the permitted person' } } });
}

/** The person in the list, or in the list of changes since a date. */
async function readPerson(run: ConformRun, changedSince?: string): Promise<Row> {
  let found: Row = {};
  const request = run.request('listPersons', { query: changedSince === undefined ? {} : { changedSince } });
  await run.list(request, (element) => {
    if (idOf(element) !== run.options.allowWrites) return true;
    found = rowOf(element) ?? {};
    return false;
  });
  return found;
}

/** Sends patches, and compares the person with what it was and what the last of them sent. */
async function comparePatches(run: ConformRun, patches: readonly PersonPatch[]): Promise<Deviation[]> {
  const request = patchRequest(run);
  const before = await readPerson(run);
  for (const body of patches) {
    // oxlint-disable-next-line no-await-in-loop -- one change after the other
    const wrong = await run.expectStatus([{ ...request, body }], 200);
    if (wrong.length > 0) return wrong;
  }
  const changes = patches.map(({ addresses, ...others }) => ({
    ...others,
    ...(addresses && { address: addresses[0] }),
  }));
  const expected: Partial<Row> = keptOf(Object.assign({}, before, ...changes) as Row);
  const found: Partial<Row> = keptOf(await readPerson(run));
  return ['address', 'bankDetails'].flatMap((field) => {
    const [wanted, stored] = [expected[field] as Row | undefined, found[field] as Row | undefined];
    if (sameJson(wanted, stored)) return [];
    const names = Object.keys({ ...wanted, ...stored }).filter((name) => wanted?.[name] !== stored?.[name]);
    const isSent = patches.some((each) => Object.hasOwn(each, field === 'address' ? 'addresses' : field));
    return {
      place: field,
      expected: isSent ? 'exactly what was sent last' : 'the value before the patch',
      got: `another ${names.join(', ')}`,
      request: run.cloud.curl({ ...request, body: patches.at(-1) }),
    };
  });
}

/** Rules of a patch by their checks, each with the patches that it is tried with. */
const patches: Readonly<Record<string, readonly [rule: string, ...PersonPatch[]]>> = {
  'patch-nothing': ['A patch without properties changes nothing.', {}],
  'patch-bank-details': ['A patch of the bank details stores them, and keeps the address.', { bankDetails: account }],
  'patch-address': [
    'A patch of the addresses stores the first one as default, and keeps the bank details.',
    { addresses: [street, box] },
  ],
  'patch-replaces': [
    'A sent property replaces the stored one: other fields are discarded.',
    { addresses: [street], bankDetails: account },
    { addresses: [{ city: 'Bonn' }], bankDetails: { payee: 'Conformance' } },
  ],
};

/** Sends invalid patches, and compares the person. */
async function rejectPatches(run: ConformRun, isStated: boolean): Promise<readonly Deviation[]> {
  const request = patchRequest(run);
  const before = keptOf(await readPerson(run));
  const accepted = await rejectBodies(run, request, [400, 422], isStated);
  if (accepted.length > 0 || sameJson(before, keptOf(await readPerson(run)))) return accepted;
  return [{ place: 'person', expected: 'no change', got: 'a change', request: run.cloud.curl(request) }];
}

/** Submits the one payment, and reads the approved payments before and after. */
async function submitPayment(run: ConformRun) {
  const { allowPayment } = run.options;
  if (allowPayment === undefined) throw new NotTried('a payment is not permitted: --allow-payment');
  const parameters = { contractId: { value: allowPayment, from: 'the permitted contract' } };
  const rowsOf = async (operation: string): Promise<Row[] | undefined> => {
    const rows: Row[] = [];
    const exchange = await run
      .list(run.request(operation, { parameters }), (row) => rows.push(rowOf(row) ?? {}))
      .catch(() => undefined);
    return exchange?.status === 200 ? rows : undefined;
  };
  const salary = (await rowsOf('listSalaryHistory'))?.at(-1);
  const [component] = (salary?.['values'] as Row[] | undefined) ?? [];
  const id = textOf(component?.['compensationComponentId']);
  const body = { compensationComponentId: id || 'HR-CONFORM', amount: 0.01 };
  const month = today().slice(0, 7);
  const request = run.request('submitVariablePayment', { parameters });
  const before = await rowsOf('listVariablePayments');
  const headers = { 'idempotency-key': randomUUID() };
  const expected = { payrollContractId: allowPayment, billingPeriod: month, correctionPeriod: month, ...body };
  const { billingPeriod: known } = run.names['submitVariablePayment'] ?? {};
  const names = known === undefined ? namesToTry('submitVariablePayment', 'billingPeriod') : [known];
  // oxlint-disable no-await-in-loop -- the first name that is not rejected
  for (const name of names) {
    const query = { [name]: month };
    const exchange = await run.cloud.send({ ...request, query, headers, body, ...(id && { isPrivate: true }) });
    if (known === undefined && [400, 422].includes(exchange.status)) continue;
    run.names['submitVariablePayment'] = { billingPeriod: name };
    return { exchange, expected, before, after: await rowsOf('listVariablePayments') };
  }
  // oxlint-enable no-await-in-loop
  throw new NotTried(unknownName('billingPeriod'));
}

function paymentCheck(
  id: string,
  rule: string,
  check: (run: ConformRun, payment: Awaited<ReturnType<typeof submitPayment>>) => Deviation[],
): Check {
  return must('4.3', id, rule, async (run) => check(run, await run.once('payment', () => submitPayment(run))));
}

/** Changes of the permitted person, and a payment of the permitted contract (sections 4.1 and 4.3). */
export const writeChecks: readonly Check[] = [
  // First, before the other patches change more systems.
  should(
    '4.2',
    'patch-changes',
    'After a patch of the bank details, the list of changes has the data of payroll and of no other unchanged system.',
    async (run) => {
      const body = { bankDetails: { ...account, payee: run.options.seed.toString() } };
      const request = { ...patchRequest(run), body };
      const before = systemsIn(await readPerson(run, today()));
      const exchange = await run.cloud.send(request);
      const wrong = run.statusFault(exchange, 200);
      if (wrong.length > 0) return wrong;
      const isRight = systemsIn(await readPerson(run, today())) === (before | systemsOf('payroll'));
      return isRight ? [] : [run.deviation(exchange, '[*]', 'payroll and what changed before', 'other systems')];
    },
  ),
  must('4.2', 'patch-listed', 'A list of changes has the bank details that a patch stored.', async (run) => {
    const request = { ...patchRequest(run), body: { bankDetails: account } };
    const exchange = await run.cloud.send(request);
    // Its day may be that of a zone behind.
    const found = keptOf(await readPerson(run, today(-1))).bankDetails;
    if (sameJson(found, account)) return [];
    return [run.deviation(exchange, 'bankDetails', 'the value of the patch', found ? 'another value' : 'none')];
  }),
  ...Object.entries(patches).map(([id, [rule, ...bodies]]) =>
    must('4.1', id, rule, (run) => comparePatches(run, bodies)),
  ),
  should('4.1', 'patch-clears', 'An empty list of addresses clears the address.', (run) =>
    comparePatches(run, [{ addresses: [street] }, { addresses: [] }]),
  ),
  must('4.1', 'patch-values', 'All valid values are stored exactly as sent.', (run) =>
    run.search(personPatch.arbitrary(run.fc), (body) => comparePatches(run, [body]), MAX_PATCHES),
  ),
  must('8', 'patch-bounds', 'A patch that breaks a bound is rejected, and changes nothing.', (run) =>
    rejectPatches(run, true),
  ),
  should(
    '7',
    'patch-invalid',
    'A patch with null, a wrong type or an unknown name is rejected, and changes nothing.',
    (run) => rejectPatches(run, false),
  ),
  paymentCheck(
    'payment-response',
    'A payment is accepted, and its response repeats it with contract, billing period and correction period.',
    (run, { exchange, expected }) => {
      const wrong = run.statusFault(exchange, 200);
      if (wrong.length > 0) return wrong;
      const body = Object.fromEntries(Object.entries(rowOf(exchange.body) ?? {}).filter(([, value]) => value !== null));
      const names = Object.entries(expected).flatMap(([name, value]) => (body[name] === value ? [] : [name]));
      const faults = VariablePayment.loose().safeParse(body).success ? names : [...names, 'a valid payment'];
      return faults.map((name) =>
        run.deviation(exchange, `body ${name}`, 'the value of the request', 'another value or none'),
      );
    },
  ),
  paymentCheck(
    'payment-hidden',
    'A payment is not in the list of variable payments before its approval.',
    (run, { exchange, before, after }) => {
      if (!before || !after) throw new NotTried('the HR cloud has no list of variable payments');
      const isHidden = exchange.status !== 200 || after.length <= before.length;
      return isHidden ? [] : [run.deviation(exchange, '[*]', 'the payments before', 'one more')];
    },
  ),
];
