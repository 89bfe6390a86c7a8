import { paymentContent, type OutboxEntry, type OutboxPayment } from '@hr/client/mirror';
import {
  operations,
  SalaryHistoryEntry,
  VariablePayment,
  VariablePaymentRequest,
  variablePaymentValues,
} from '@hr/schemas';
import { inQuestion } from './confirm.ts';
import { pageOf, pageParameters } from './pages.ts';
import { personOfContract } from './person-filter.ts';
import { personInRow } from './person-view.ts';
import { shown } from './shown.ts';
import { operationTool, ToolError, type ToolCall } from './tool.ts';

const salaryView = shown(SalaryHistoryEntry);
const paymentView = shown(VariablePayment);

const listSalaryHistory = operationTool('listSalaryHistory', {
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

const listVariablePayments = operationTool('listVariablePayments', {
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

const { pathParameters, query } = operations.submitVariablePayment;

const submitVariablePayment = operationTool('submitVariablePayment', {
  about:
    'The user has to confirm it in a form. Then the payment waits for the approval by the payroll administrator; before that, listVariablePayments does not have it. Nothing sends a payment a second time: if the outcome is unknown, tell the user to ask the payroll administrator, and do not call the tool again.',
  parameters: { ...pathParameters.shape, ...query.shape, ...VariablePaymentRequest.shape },
  async run(call, { contractId, ...values }) {
    // The client checks that it has a value.
    const payment = values as OutboxPayment;
    const { personId, name } = (await ownerOf(call, contractId)).person;
    const outbox = await call.outbox();
    const equal = () => [...outbox.entries({ contractId, content: paymentContent(contractId, payment) })];
    const shownEntries = equal();
    const lines = [
      `Submit a variable payment for ${inQuestion(name)} (${inQuestion(personId)})?`,
      '',
      `- Payroll contract: ${inQuestion(contractId)}`,
      `- Billing period: ${payment.billingPeriod}`,
      `- Month it affects: ${payment.correctionPeriod ?? payment.billingPeriod}`,
      `- Compensation component: ${inQuestion(payment.compensationComponentId)}`,
      ...variablePaymentValues.flatMap((value) =>
        payment[value] === undefined ? [] : [`- ${value}: ${payment[value]}`],
      ),
      // Users confirm quickly, so a repetition has to be seen.
      ...shownEntries.map(
        ({ sentAt, state }) => `Warning: the same payment was submitted at ${sentAt} (${state}). This is another one.`,
      ),
      '',
      'It then waits for the approval by the payroll administrator. It cannot be taken back here.',
    ];
    await call.confirm(lines.join('\n'), 'Submit this payment');
    if (equal().length > shownEntries.length) {
      throw new ToolError(
        'submitted-meanwhile',
        'Nothing was sent: the same payment was submitted while the question was open. Do not call the tool again unless the user asks for it.',
      );
    }
    // Once confirmed, a cancellation does not stop it, because its outcome would be unknown.
    const entry = await outbox.submit(call.hr, contractId, payment);
    call.note({ outboxId: entry.id });
    if (entry.state === 'sent') {
      return { contractId, name, billingPeriod: payment.billingPeriod, state: entry.state, outboxId: entry.id };
    }
    throw failureOf(entry);
  },
});

function failureOf({ id, state, code, message }: OutboxEntry): ToolError {
  const reason = message === undefined ? '' : ` ${message}`;
  if (state === 'refused') {
    return new ToolError(code ?? state, `The HR Cloud refused the payment, so nothing is paid.${reason}`);
  }
  return new ToolError(
    'unknown-outcome',
    `The outcome is unknown: the payment may have been accepted.${reason} It is not sent again. Do not call the tool again: tell the user to ask the payroll administrator, and to see: hr payments outbox (${id}).`,
  );
}

async function ownerOf(call: ToolCall, contractId: string) {
  await call.copy.upToDate(call, ['persons']);
  const person = personInRow(await personOfContract(call, contractId));
  call.note({ personIds: [person.personId], contractId });
  return { person };
}

/** The tools of payroll. */
export const payrollTools = { listSalaryHistory, listVariablePayments, submitVariablePayment };
