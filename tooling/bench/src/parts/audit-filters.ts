import { alternate } from '../alternate.ts';
import { amount } from '../figures.ts';
import { fillTable } from '../load-company.ts';
import type { Part } from '../part.ts';
import { startService } from '../processes.ts';
import { timeToFirstByte } from '../requests.ts';

const EVENTS_PER_PERSON = 50;
const MONTHS = 24;
const ACTORS = 19;
/** The last events are all by an actor of their own. */
const LAST_EVENTS = 1000;

/** An audit of the next two years. One event in 1,000 is a payment; half of the others name a contract. */
function insertion(events: number, persons: number): string {
  return `insert into audit_event
      (id, actor, operation, request_id, access, person_id, payroll_contract_id, object_id, elements)
    select audit_event_id(now() + n * (interval '${MONTHS} months' / ${events})),
      'client-' || case when n > ${events - LAST_EVENTS} then 'new' else (n % ${ACTORS})::text end,
      case when payment then 'submitVariablePayment' when contract then 'listSalaryHistory' else 'listAbsences' end,
      md5(n::text), case when payment then 'change' else 'read' end, 'person-' || person,
      case when contract then 'contract-' || person end, case when payment then 'payment-' || n end, 1
    from (
      select n, n % 1000 = 0 as payment, n % 2 = 0 as contract, n * 7919 % ${persons} as person
      from generate_series(1, ${events}::bigint) as n
    ) as event`;
}

/** Searches in the audit. */
export const auditFilters: Part = {
  name: 'audit-filters',
  async run({ url, operatorToken, database, pool, persons, turns }) {
    const events = EVENTS_PER_PERSON * persons;
    await pool.query(`select add_audit_months((now() + interval '${MONTHS} months')::date)`);
    await fillTable(database, 'audit_event', (transaction) => transaction.query(insertion(events, persons)));
    await pool.query('vacuum analyze audit_event');
    const middle = Math.round(events / 2000) * 1000;
    const { rows: found } = await pool.query<{ request: string; month: string }>(
      `select md5('${middle}') as request, to_char(now() + interval '${MONTHS / 2} months', 'YYYY-MM') as month`,
    );
    const { request, month } = found[0] as { request: string; month: string };
    const person = (middle * 7919) % persons;
    const filters = {
      'without a filter': '',
      'by person': `personId=person-${person}`,
      'by person in a month': `personId=person-${person}&since=${month}-01&until=${month}-28`,
      'by contract': `payrollContractId=contract-${person}`,
      'by object': `objectId=payment-${middle}`,
      'by actor': 'actor=client-7',
      'by an actor of the last 1,000 events': 'actor=client-new',
      'by request': `requestId=${request}`,
      'by an operation of every other event': 'operation=listAbsences',
      'by an operation of 1 in 1,000 events': 'operation=submitVariablePayment',
      'by an operation of no event': 'operation=operatorErasePerson',
    };
    await using service = await startService(url);
    const caller = { origin: service.ready, token: operatorToken };
    return await Array.fromAsync(Object.entries(filters), async ([name, filter]) => {
      const path = `/operator/v1/audit-events?${filter}`;
      const { first } = await alternate({ first: () => timeToFirstByte(caller, path) }, turns);
      const measure = `time to the first page of ${events.toLocaleString('en')} audit events, ${name}`;
      return amount({ measure, unit: 'ms', goal: '≤ 100' }, first);
    });
  },
};
