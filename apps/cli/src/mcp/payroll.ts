import { operations, SalaryHistoryEntry, VariablePayment } from '@hr/schemas';
import { pageOf, pageParameters } from './pages.ts';
import { personOfContract } from './person-filter.ts';
import { personName } from './person-view.ts';
import { shown } from './shown.ts';
import { operationTool, type ToolCall } from './tool.ts';

const salaryView = shown(SalaryHistoryEntry);
const paymentView = shown(VariablePayment);

export const listSalaryHistory = operationTool('listSalaryHistory', {
  about: 'Asks the HR Cloud itself. The specification states no currency and no unit of the amounts: name none.',
  parameters: {
    ...operations.listSalaryHistory.pathParameters.shape,
    ...operations.listSalaryHistory.query.shape,
    ...pageParameters,
  },
  async run(call, { contractId, cursor, limit, ...months }) {
    const head = await ownerOf(call, contractId);
    const rows = await call.hr.payroll.salaryHistory(contractId, months, { signal: call.signal });
    return await pageOf(call, { cursor, limit }, { head, name: 'salaries', rows, view: salaryView });
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
  async run(call, { contractId, cursor, limit, ...months }) {
    const head = await ownerOf(call, contractId);
    const rows = await call.hr.payroll.variablePayments(contractId, months, { signal: call.signal });
    return await pageOf(call, { cursor, limit }, { head, name: 'payments', rows, view: paymentView });
  },
});

async function ownerOf(call: ToolCall, contractId: string) {
  await call.copy.upToDate(call, ['persons']);
  const person = personName(await personOfContract(call, contractId));
  call.note({ personIds: [person.personId], contractId });
  return { person };
}
