import { clientCredentials } from '@hr/auth';
import { createHrClient, isHrError } from '../src/index.ts';

// What runs in the page: every call of the client.

declare const location: { readonly origin: string; readonly search: string };

const baseUrl = location.origin;
const login = new URLSearchParams(location.search);
const auth = clientCredentials({ baseUrl, clientId: login.get('id') ?? '', clientSecret: login.get('secret') ?? '' });
const { persons, payroll, time, changes, webhooks } = createHrClient({ baseUrl, auth });
const changedSince = '2020-01-01';
const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS' };

function errorOf(error: unknown): unknown {
  return isHrError(error) ? [error.code, error.outcome] : error;
}

async function report(): Promise<object> {
  const list = persons.list();
  const all = await list;
  const { cursor: after = '' } = list;
  let streamed = 0;
  for await (const { id } of persons.list()) if (id) streamed++;
  const id = all[0]?.id ?? '';
  const contract = all[0]?.employments?.[0]?.payrollContractId ?? '';
  await Promise.all([
    persons.list({ changedSince }),
    persons.list({ after }),
    payroll.variablePayments(contract),
    payroll.salaryHistory(contract),
    payroll.allSalaries(),
    payroll.decisions(),
    time.bookings(),
    time.bookings({ changedSince }),
    time.absences(id),
    time.absences(id, { changedSince }),
    time.allAbsences(),
    time.allAbsences({ after }),
    time.absencesOverlapping(id, { from: '2026-01-01', to: '2026-12-31' }),
  ]);
  const { changed } = await changes.get({ after, wait: 0 });
  const { id: endpoint } = await webhooks.create({ url: 'https://127.0.0.1:9/' });
  await webhooks.rotate(endpoint);
  const tested = await webhooks.test(endpoint);
  const [listed] = await webhooks.list();
  const deliveries = await webhooks.deliveries(endpoint);
  await webhooks.delete(endpoint);
  const updated = await persons.update(id, { bankDetails: { iban: 'DE02120300000000202051' } });
  const { amount, correctionPeriod } = await payroll.submitVariablePayment(contract, { ...bonus, amount: 250 });
  return {
    persons: [all.length, streamed],
    changed,
    endpoint: [listed?.id === endpoint, tested.type, deliveries.length, (await webhooks.list()).length],
    updated: updated?.bankDetails?.iban,
    submitted: [amount, correctionPeriod],
    withoutAmount: await payroll.submitVariablePayment(contract, bonus as never).catch(errorOf),
    unknownPerson: await persons.update('nobody', {}).catch(errorOf),
  };
}

Object.assign(globalThis, { report: report() });
