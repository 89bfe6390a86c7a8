import { clientCredentials, isAuthError } from '@hr/auth';
import { createHrClient, isHrError } from '@hr/client';

const baseUrl = process.env['HR_BASE_URL'] ?? 'http://127.0.0.1:4010';
const health = await fetch(`${baseUrl}/livez`).catch(() => undefined);
if (!health?.ok) {
  console.error(`The demo is not running on ${baseUrl}. Start it in another terminal: npx pnpm@12 start`);
  process.exit(1);
}
process.once('uncaughtException', (error) => {
  console.error(isHrError(error) || isAuthError(error) ? error.message : error);
  process.exit(1);
});

const credentials = { baseUrl, clientId: 'demo', clientSecret: 'demo-secret' };
const hr = createHrClient({ baseUrl, auth: clientCredentials(credentials) });
const show = (step: string, result: string) => console.log(step.padEnd(14) + result);

const persons = await hr.persons.list();
const person = persons.find(({ employments }) => employments?.length);
const contractId = person?.employments?.[0]?.payrollContractId;
if (!person || !contractId)
  throw new Error(`No person on ${baseUrl} has a contract. Run the quickstart against the demo.`);
show('Persons', `${persons.length}, the first with a contract is ${person.firstName} ${person.lastName}`);

let contracts = 0;
for await (const { employments } of hr.persons.list()) contracts += employments?.length ?? 0;
show('Contracts', `${contracts}, counted while the persons stream in`);

const home = { street: 'Lindenallee', houseNumber: '7', zipCode: '10115', city: 'Berlin' };
const moved = await hr.persons.update(person.id, { addresses: [home] });
show('Address', `moved to ${moved?.address?.street} ${moved?.address?.houseNumber}, ${moved?.address?.city}`);

const bonus = { billingPeriod: new Date().toISOString().slice(0, 7), compensationComponentId: 'BONUS', amount: 250 };
await hr.payroll.submitVariablePayment(contractId, bonus);
const operator = clientCredentials({
  baseUrl,
  clientId: 'operator',
  clientSecret: 'operator-secret',
  scope: 'operator',
});
const headers = { authorization: `Bearer ${(await operator.getToken()).value}` };
const payments = `${baseUrl}/operator/v1/variable-payments`;
const response = await fetch(`${payments}?state=submitted`, { headers });
const submitted = (await response.json()) as { id: string; payrollContractId: string }[];
const payment = submitted.findLast(({ payrollContractId }) => payrollContractId === contractId);
await fetch(`${payments}/${payment?.id}/approve`, { method: 'POST', headers });
const paid = (await hr.payroll.variablePayments(contractId, { billingPeriod: bonus.billingPeriod })).at(-1);
if (!paid) throw new Error('The operator did not approve the payment. Restart the demo and try again.');
show('Payment', `${paid.amount?.toFixed(2)} BONUS submitted for ${paid.billingPeriod}, approved by the operator`);

const salaries = await hr.payroll.salaryHistory(contractId);
const year = salaries.at(-2)?.year;
show('Salaries', `${salaries.length} months, ${salaries.at(-1)?.totalSalary?.toFixed(2)} in the last one`);

const bookings = await hr.time.bookings({ from: `${year}-01-01`, to: `${year}-12-31` });
show('Time', `${bookings.length} persons with time bookings in ${year}`);

const absences = await hr.time.absencesOverlapping(person.id, { from: `${year}-01-01`, to: `${year}-12-31` });
show('Absences', `${absences.length} of ${person.firstName} ${person.lastName} in ${year}`);
