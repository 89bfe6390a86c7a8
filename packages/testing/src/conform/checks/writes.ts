import { randomUUID } from 'node:crypto';
import { VariablePayment, type PersonPatch } from '@hr/schemas';
import { sameJson } from '../../fake/compare.ts';
import { fixtures } from '../../fixtures/fixtures.ts';
import type { Check } from '../check.ts';
import type { Exchange } from '../cloud.ts';
import { idOf, type ConformRun } from '../conform-run.ts';
import { NotTried, type Deviation } from '../deviation.ts';
import { keptOf, type Kept } from '../journal.ts';
import { textOf, type Row } from '../../model/lists.ts';
import { systemsIn, systemsOf } from './changes.ts';
import { rejectBodies } from './requests.ts';

const MAX_PATCHES = 10;
const { personPatch, bankDetails } = fixtures();
const [street, box] = [
  personPatch.with('onlyAddresses').build(),
  personPatch.with('onlyAddresses', 'postOfficeBox').build(),
];
const [made, other] = [...(street.addresses ?? []), ...(box.addresses ?? [])];
const account = bankDetails.build();

function target({ options: { allowWrites } }: ConformRun) {
  if (allowWrites === undefined) throw new NotTried('writes are not permitted: --allow-writes');
  return { id: { value: allowWrites, from: 'the permitted person' } };
}

function patch(run: ConformRun, body: unknown): Promise<Exchange> {
  return run.cloud.send({ ...run.request('updatePerson', { parameters: target(run) }), body });
}

/** The person in the list, or in the list of changes since a date. */
async function readPerson(run: ConformRun, changedSince?: string): Promise<Row | undefined> {
  let found: Row | undefined;
  const { value } = target(run).id;
  await run.list(
    run.request('listPersons', { query: changedSince === undefined ? {} : { changedSince } }),
    (element) => {
      if (idOf(element) === value) found = element as Row;
      return !found;
    },
  );
  return found;
}

/** Sends patches, and compares the person with what it was and what the last of them sent. */
async function comparePatches(run: ConformRun, patches: readonly PersonPatch[]): Promise<Deviation[]> {
  let kept: Partial<Kept> = keptOf((await readPerson(run)) ?? {});
  let exchange: Exchange | undefined;
  for (const body of patches) {
    // oxlint-disable-next-line no-await-in-loop -- one change after the other
    exchange = await patch(run, body);
    const wrong = run.statusFault(exchange, 200);
    if (wrong.length > 0) return wrong;
    kept = keptOf({
      ...kept,
      ...(body.addresses && { address: body.addresses[0] }),
      ...(body.bankDetails && { bankDetails: body.bankDetails }),
    });
  }
  const now = keptOf((await readPerson(run)) ?? {});
  return (['address', 'bankDetails'] as const).flatMap((field) => {
    const [expected, found] = [kept[field] as Row | undefined, now[field] as Row | undefined];
    if (!exchange || sameJson(expected, found)) return [];
    const names = Object.keys({ ...expected, ...found }).filter((name) => expected?.[name] !== found?.[name]);
    const isSent = patches.some((each) => Object.hasOwn(each, field === 'address' ? 'addresses' : field));
    const wanted = isSent ? 'exactly what was sent last' : 'the value before the patch';
    return [run.deviation(exchange, field, wanted, `another ${names.join(', ')}`)];
  });
}

function patchCheck(id: string, rule: string, severity: Check['severity'], ...patches: readonly PersonPatch[]): Check {
  return { id, section: '4.1', level: 2, severity, rule, run: (run) => comparePatches(run, patches) };
}

function invalidCheck(isStated: boolean): Check {
  return {
    id: isStated ? 'patch-bounds' : 'patch-invalid',
    section: isStated ? '8' : '7',
    level: 2,
    severity: isStated ? 'must' : 'should',
    rule: isStated
      ? 'A patch that breaks a bound is rejected, and changes nothing.'
      : 'A patch with null, a wrong type or an unknown name is rejected, and changes nothing.',
    run: async (run) => {
      const request = run.request('updatePerson', { parameters: target(run) });
      const before = keptOf((await readPerson(run)) ?? {});
      const accepted = await rejectBodies(run, request, [400, 422], isStated);
      const isSame = accepted.length > 0 || sameJson(before, keptOf((await readPerson(run)) ?? {}));
      const changed = { place: 'person', expected: 'no change', got: 'a change', request: run.cloud.curl(request) };
      return isSame ? accepted : [changed];
    },
  };
}

/** Submits the one payment, and reads the approved payments before and after. */
async function submitPayment(run: ConformRun) {
  const { allowPayment, today } = { today: new Date().toISOString(), ...run.options };
  if (allowPayment === undefined) throw new NotTried('a payment is not permitted: --allow-payment');
  const parameters = { contractId: { value: allowPayment, from: 'the permitted contract' } };
  const rowsOf = async (operation: string): Promise<Row[] | undefined> => {
    const rows: Row[] = [];
    const exchange = await run
      .list(run.request(operation, { parameters }), (row) => rows.push(row as Row))
      .catch(() => undefined);
    return exchange?.status === 200 ? rows : undefined;
  };
  const [salary] = (await rowsOf('listSalaryHistory'))?.slice(-1) ?? [];
  const [component] = (salary?.['values'] as Row[] | undefined) ?? [];
  const body = {
    compensationComponentId: textOf(component?.['compensationComponentId']) || 'HR-CONFORM',
    amount: 0.01,
  };
  const request = run.request('submitVariablePayment', { parameters, query: { billingPeriod: today.slice(0, 7) } });
  const before = await rowsOf('listVariablePayments');
  const headers = { 'Idempotency-Key': randomUUID() };
  const exchange = await run.cloud.send({ ...request, headers, body, ...(component && { isPrivate: true }) });
  const month = today.slice(0, 7);
  const expected = { payrollContractId: allowPayment, billingPeriod: month, correctionPeriod: month, ...body };
  return { exchange, expected, before, after: await rowsOf('listVariablePayments') };
}

/** Changes of the permitted person, and a payment of the permitted contract (sections 4.1 and 4.3). */
export const writeChecks: readonly Check[] = [
  // First, before the other patches change more systems.
  {
    id: 'patch-changes',
    section: '4.2',
    level: 2,
    severity: 'must',
    rule: 'After a patch of the bank details, the list of changes has the data of payroll and of no other unchanged system.',
    run: async (run) => {
      const today = new Date().toISOString().slice(0, 10);
      const before = systemsIn((await readPerson(run, today)) ?? {});
      const exchange = await patch(run, { bankDetails: { ...account, payee: run.options.seed.toString() } });
      const wrong = run.statusFault(exchange, 200);
      if (wrong.length > 0) return wrong;
      const after = systemsIn((await readPerson(run, today)) ?? {});
      const isRight = after === (before | systemsOf('payroll'));
      return isRight ? [] : [run.deviation(exchange, '[*]', 'payroll and what changed before', 'other systems')];
    },
  },
  patchCheck('patch-nothing', 'A patch without properties changes nothing.', 'must', {}),
  patchCheck('patch-bank-details', 'A patch of the bank details stores them, and keeps the address.', 'must', {
    bankDetails: account,
  }),
  patchCheck(
    'patch-address',
    'A patch of the addresses stores the first one as default, and keeps the bank details.',
    'must',
    {
      addresses: [made ?? {}, other ?? {}],
    },
  ),
  patchCheck(
    'patch-replaces',
    'A sent property replaces the stored one: other fields are discarded.',
    'must',
    { addresses: [made ?? {}], bankDetails: account },
    { addresses: [{ city: 'Bonn' }], bankDetails: { payee: 'Conformance' } },
  ),
  patchCheck(
    'patch-clears',
    'An empty list of addresses clears the address.',
    'should',
    { addresses: [made ?? {}] },
    { addresses: [] },
  ),
  {
    id: 'patch-values',
    section: '4.1',
    level: 2,
    severity: 'must',
    rule: 'All valid values are stored exactly as sent.',
    run: (run) => run.search(personPatch.arbitrary(run.fc), (body) => comparePatches(run, [body]), MAX_PATCHES),
  },
  invalidCheck(true),
  invalidCheck(false),
  {
    id: 'payment-response',
    section: '4.3',
    level: 2,
    severity: 'must',
    rule: 'A payment is accepted, and its response repeats it with contract, billing period and correction period.',
    run: async (run) => {
      const { exchange, expected } = await run.once('payment', () => submitPayment(run));
      const wrong = run.statusFault(exchange, 200);
      if (wrong.length > 0) return wrong;
      const body = (exchange.body ?? {}) as Row;
      const isValid = VariablePayment.loose().safeParse(body).success;
      const names = Object.entries(expected).flatMap(([name, value]) => (body[name] === value ? [] : [name]));
      const faults = [...names, ...(isValid ? [] : ['a valid payment'])];
      return faults.map((name) =>
        run.deviation(exchange, `body ${name}`, 'the value of the request', 'another value or none'),
      );
    },
  },
  {
    id: 'payment-hidden',
    section: '4.3',
    level: 2,
    severity: 'must',
    rule: 'A payment is not in the list of variable payments before its approval.',
    run: async (run) => {
      const { exchange, before, after } = await run.once('payment', () => submitPayment(run));
      if (!before || !after) throw new NotTried('the HR cloud has no list of variable payments');
      const isHidden = exchange.status !== 200 || after.length <= before.length;
      return isHidden ? [] : [run.deviation(exchange, '[*]', 'the payments before', 'one more')];
    },
  },
];
