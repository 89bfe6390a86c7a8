import { alternate } from '../alternate.ts';
import { amount } from '../figures.ts';
import { fillTable } from '../load-company.ts';
import type { Part, Row } from '../part.ts';
import { startService } from '../processes.ts';
import { timeToFirstByte } from '../requests.ts';

const EVENTS_PER_PERSON = 50;
const ACTORS = 20;

/** The audit of two months: one event in 1,000 is a change. */
function insertion(events: number, persons: number): string {
  return `insert into audit_event (at, actor, operation, request_id, access, person_id, elements)
    select now() - interval '60 days' + n * (interval '60 days' / ${events}), 'client-' || n % ${ACTORS},
      case when n % 1000 = 0 then 'updatePerson' else 'listAbsences' end, md5(n::text),
      case when n % 1000 = 0 then 'change' else 'read' end, 'person-' || n * 7919 % ${persons}, 1
    from generate_series(1, ${events}::bigint) as n`;
}

/** Searches in the audit. */
export const auditFilters: Part = {
  name: 'audit-filters',
  async run({ url, operatorToken, database, pool, persons, turns }) {
    const events = EVENTS_PER_PERSON * persons;
    await fillTable(database, 'audit_event', (transaction) => transaction.query(insertion(events, persons)));
    await pool.query('vacuum analyze audit_event');
    const request = await pool.query<{ id: string }>(`select md5('${Math.round(events / 2)}') as id`);
    const filters = {
      person: `personId=person-${Math.round(persons / 2)}`,
      actor: 'actor=client-7',
      request: `requestId=${request.rows[0]?.id}`,
      'an operation of 1 in 1,000 events': 'operation=updatePerson',
    };
    await using service = await startService(url);
    const rows: Row[] = [];
    for (const [name, filter] of Object.entries(filters)) {
      const path = `/operator/v1/audit-events?${filter}`;
      // oxlint-disable-next-line no-await-in-loop -- nothing else runs while something is measured
      const { first } = await alternate(
        { first: () => timeToFirstByte({ origin: service.ready, token: operatorToken }, path) },
        turns,
      );
      rows.push({
        measure: `time to the first page of ${events.toLocaleString('en')} audit events, by ${name}`,
        figure: amount(first),
        unit: 'ms',
        goal: '≤ 100',
      });
    }
    return rows;
  },
};
