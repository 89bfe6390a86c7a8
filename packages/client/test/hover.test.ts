import { spawn } from 'node:child_process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-jsonrpc/node';

const program = `import type { Employment, HrClient, Person, PersonChange, PersonPatch, RequestAddress, SalaryHistoryEntry, VariablePaymentSubmission } from '../src/index.ts';
declare const found: Person, employment: Employment, change: PersonChange, patch: PersonPatch, salary: SalaryHistoryEntry;
declare const hr: HrClient, address: RequestAddress, payment: VariablePaymentSubmission;
found.jobTitle;
found.address?.zipCode;
found.payrollContractIds;
employment.workingHours;
change.erased;
patch.addresses;
salary.month;
salary.totalSalary;
hr.time.bookings({ from: '2026-01-31' });
hr.persons.list().cursor;
hr.payroll.decisions({ after: 'c' });
address.street;
payment.amount;
hr.persons.update('1', {}).withResponse;
`;
const folder = fileURLToPath(new URL('.', import.meta.url));
const uri = pathToFileURL(`${folder}hover-program.ts`).href;
const compiler = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')));
const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { cwd: folder });
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
afterAll(() => {
  connection.dispose();
  server.kill();
});

beforeAll(async () => {
  connection.onRequest('workspace/configuration', () => [null]);
  connection.onRequest(() => null);
  connection.listen();
  const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    capabilities,
  });
  await connection.sendNotification('initialized', {});
});

test('an editor shows the sentence, the bounds and the section of each field', async () => {
  const document = { uri, languageId: 'typescript', version: 1, text: program };
  await connection.sendNotification('textDocument/didOpen', { textDocument: document });

  const lines = program.split('\n');
  const shown: Record<string, string> = {};
  for (const [line, text] of lines.entries()) {
    const [, name] = /(?:\.|\{ )(\w+)(?:;|:)/.exec(text) ?? [];
    if (name === undefined) continue;
    const position = { line, character: text.lastIndexOf(name) };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const { contents } = await connection.sendRequest<{ contents: { value: string } }>('textDocument/hover', {
      textDocument: { uri },
      position,
    });
    shown[name] = contents.value.split('```')[2]?.replace('*@example*', '').trim().replaceAll(/\s+/g, ' ') ?? '';
  }
  expect(shown).toEqual({
    jobTitle: 'At most 400 characters (section 2.1).',
    zipCode: 'At most 10 characters (section 2.2).',
    payrollContractIds:
      'See section 2.1. *@deprecated* — Use `employments`, which carries more. May contain ids unknown to the payroll system.',
    workingHours: 'The working hours of a payroll contract (section 2.5).',
    erased: 'All data of the person was deleted for good: delete yours. Every other field is `null` (section 4.2).',
    addresses: 'The first one becomes the default address (section 4.1).',
    month: '1 is January. 1 to 12 (section 2.9).',
    totalSalary: 'The specification states no currency (section 2.9).',
    cursor:
      'Pass it as `after` to a later call of `changes.get`, or of any list that accepts it, for what changed after this response. A mirror does this by itself. It is the `HR-Cursor` of the last response: undefined before that begins, and of a service that sends none.',
    after: 'Only what changed after the response that had this cursor, of any list (section 4.3).',
    from: 'First day, inclusive. A date `YYYY-MM-DD` (section 4.4).',
    street: 'Excludes the house number. At most 255 characters (section 2.2).',
    amount: 'Fixed amount to be taken into account. The specification states no currency (section 2.7).',
    withResponse:
      'Resolves with the result and the head of its response, or rejects like the promise itself. It sends nothing more.',
  });
});

test('an error of the compiler names the rule that a literal breaks', async () => {
  const wrong = `import type { HrClient } from '../src/index.ts';
declare const hr: HrClient;
void hr.persons.update('1', { addresses: [{ street: 'Weg', postOfficeBox: '12' }] });
void hr.payroll.submitVariablePayment('1', { billingPeriod: '2026-12', compensationComponentId: 'BONUS' });
`;
  const document = { uri: uri.replace('program', 'wrong'), languageId: 'typescript', version: 1, text: wrong };
  await connection.sendNotification('textDocument/didOpen', { textDocument: document });
  const { items } = await connection.sendRequest<{ items: { message: string }[] }>('textDocument/diagnostic', {
    textDocument: { uri: document.uri },
  });
  expect(items.map(({ message }) => message.split('\n').at(-1)?.trim())).toEqual([
    `Type '"12"' is not assignable to type 'EmptyBeside<"houseNumber" | "street">'.`,
    expect.stringContaining(
      `required in type 'AtLeastOneOf<"amount" | "days" | "hourlyFactor" | "hours" | "percentage", `,
    ),
  ]);
});
