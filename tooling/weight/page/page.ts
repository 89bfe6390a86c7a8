/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { createHrClient, isHrError } from '@hr/client';
import { auth } from 'virtual:a-browser-and-its-backend';

// A page with a button for each call, which shows what has come of the last one.

const { persons, payroll } = createHrClient({ baseUrl: location.origin, auth });
const stopping = new AbortController();
const [person = '', contract = ''] = ['person', 'contract'].map(
  (name) => new URLSearchParams(location.search).get(name) ?? '',
);
const bonus = { billingPeriod: '2026-01', compensationComponentId: 'BONUS' };

const actions: Record<string, () => Promise<string | undefined>> = {
  list: async () => `${(await persons.list()).length} persons`,
  async stream() {
    let count = 0;
    for await (const { id } of persons.list({}, { signal: stopping.signal }))
      show(`${++count} persons, ${id} the last`);
    return `${count} persons, one by one`;
  },
  async stop() {
    stopping.abort(new Error('stopped by the user'));
    return undefined;
  },
  async update() {
    const updated = await persons.update(person, { bankDetails: { iban: 'DE02120300000000202051' } });
    return `paid to ${updated?.bankDetails?.iban}`;
  },
  async submit() {
    const { amount, correctionPeriod } = await payroll.submitVariablePayment(contract, { ...bonus, amount: 250 });
    return `${amount} for ${correctionPeriod}`;
  },
  submitNothing: async () => `${(await payroll.submitVariablePayment(contract, bonus)).amount}`,
  updateNobody: async () => `changed ${(await persons.update('nobody', {}))?.id}`,
};

function show(text: string): void {
  const output = document.querySelector('output');
  if (output) output.textContent = text;
}

async function act(action: string): Promise<void> {
  try {
    const text = await actions[action]?.();
    if (text !== undefined) show(text);
  } catch (error) {
    show(isHrError(error) ? `${error.code}, ${error.outcome}` : String(error));
  }
}

for (const button of document.querySelectorAll('button')) {
  button.addEventListener('click', () => void act(button.id));
}
