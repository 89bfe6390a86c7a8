import { operations, SalaryHistoryEntry, VariablePayment } from '@hr/schemas';
import { z } from 'zod';
import { pageFields, pageOf, pageParameters, type PageQuery } from './pages.ts';
import { personOfContract } from './person-filter.ts';
import { PersonName, personName } from './person-view.ts';
import { shown, withoutEmpty } from './shown.ts';
import { operationTool, type ToolCall } from './tool.ts';

const Salary = shown(SalaryHistoryEntry);
const Payment = shown(VariablePayment);
const owner = { person: PersonName };

/** Elements have no ids, so their positions are the cursors. */
const POSITION_DIGITS = 9;

export const listSalaryHistory = operationTool('listSalaryHistory', {
  about: 'Asks the HR Cloud itself. The specification states no currency and no unit of the amounts: name none.',
  parameters: {
    ...operations.listSalaryHistory.pathParameters.shape,
    ...operations.listSalaryHistory.query.shape,
    ...pageParameters,
  },
  output: z.object({ ...pageFields, ...owner, salaries: z.array(Salary) }),
  async run(call, { contractId, cursor, limit, ...months }) {
    const person = await ownerOf(call, contractId);
    const entries = await call.hr.payroll.salaryHistory(contractId, months, { signal: call.signal });
    const { rows, ...page } = positions(entries, { cursor, limit });
    call.note({ personIds: [person.personId], contractId, counts: { salaries: rows.length, total: page.total } });
    return { ...page, person, salaries: rows.map((entry) => Salary.parse(withoutEmpty(entry))) };
  },
});

export const listVariablePayments = operationTool('listVariablePayments', {
  about:
    'Asks the HR Cloud itself. It lists approved payments only: a submitted payment is not here before the payroll administrator approves it.',
  parameters: {
    ...operations.listVariablePayments.pathParameters.shape,
    ...operations.listVariablePayments.query.shape,
    ...pageParameters,
  },
  output: z.object({ ...pageFields, ...owner, payments: z.array(Payment) }),
  async run(call, { contractId, cursor, limit, ...months }) {
    const person = await ownerOf(call, contractId);
    const entries = await call.hr.payroll.variablePayments(contractId, months, { signal: call.signal });
    const { rows, ...page } = positions(entries, { cursor, limit });
    call.note({ personIds: [person.personId], contractId, counts: { payments: rows.length, total: page.total } });
    return { ...page, person, payments: rows.map((entry) => Payment.parse(withoutEmpty(entry))) };
  },
});

async function ownerOf(call: ToolCall, contractId: string): Promise<z.output<typeof PersonName>> {
  await call.copy.upToDate(call, ['persons']);
  return personName(await personOfContract(call, contractId));
}

function positions<Row>(rows: readonly Row[], query: PageQuery) {
  const placed = rows.map((row, index) => ({ row, key: String(index).padStart(POSITION_DIGITS, '0') }));
  const page = pageOf(placed, query, ({ key }) => key);
  return { ...page, rows: page.rows.map(({ row }) => row) };
}
