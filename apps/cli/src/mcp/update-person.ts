import { isHrError, type Person, type PersonPatch } from '@hr/client';
import { Address, BankDetails, operations } from '@hr/schemas';
import { failureMessage } from '../report-failure.ts';
import { inQuestion } from './confirm.ts';
import { existingPerson } from './person-filter.ts';
import { personName } from './person-view.ts';
import { comparison, hasValidCheckDigits } from '../persons/comparison.ts';
import { operationTool, ToolError, type ToolCall } from './tool.ts';

export const updatePerson = operationTool('updatePerson', {
  about:
    'The user has to confirm it, in a form that compares before and after. A sent property replaces the stored one completely: fields that you leave out are discarded, so ask for the complete address. Other properties stay.',
  parameters: { ...operations.updatePerson.pathParameters.shape, ...operations.updatePerson.body.shape },
  async run(call, { id, ...patch }) {
    const changed = propertyNames.filter((property) => patch[property] !== undefined);
    if (changed.length === 0) {
      throw new ToolError('invalid-arguments', 'Nothing to change. Give /addresses or /bankDetails.');
    }
    const before = await currentPerson(call, id);
    call.note({ personIds: [id] });
    await call.confirm(questionOf(before, patch, call.reveal), 'Send this change');
    const now = await currentPerson(call, id);
    if (replaced(now, patch) !== replaced(before, patch)) {
      throw new ToolError(
        'changed-meanwhile',
        'Nothing was sent: the person was changed meanwhile. Call the tool again to compare anew.',
      );
    }
    await send(call, id, patch);
    return { personId: id, name: personName(before).name, changed };
  },
});

const propertyNames = Object.keys(operations.updatePerson.body.shape) as (keyof PersonPatch)[];

/** What is stored now, because the change discards it. */
async function currentPerson(call: ToolCall, id: string): Promise<Person> {
  call.copy.expire('persons');
  const { notice } = await call.copy.upToDate(call, ['persons']);
  if (notice === undefined) return await existingPerson(call, id, '/id');
  throw new ToolError('no-copy', `Nothing was sent: what the change would discard is not known. ${notice}`);
}

function replaced({ address, bankDetails }: Person, patch: PersonPatch): string {
  return JSON.stringify([patch.addresses && (address ?? null), patch.bankDetails && (bankDetails ?? null)]);
}

function questionOf(person: Person, { addresses, bankDetails }: PersonPatch, reveal: boolean): string {
  const shown = (name: string, value: unknown, isStored: boolean): string =>
    isStored && !reveal && name !== 'iban' ? 'the stored value' : display(name, value);
  const compared = (...values: [model: typeof Address | typeof BankDetails, before: object, after: object]) =>
    comparison(...values, shown).map((line) => `- ${line}`);
  const lines = [`Change the data of ${inQuestion(personName(person).name)} (${inQuestion(person.id)})?`];
  if (addresses) {
    lines.push('', 'Address', ...compared(Address, person.address ?? {}, addresses[0] ?? {}));
    if (addresses.length > 1) lines.push(`Further addresses to store: ${addresses.length - 1}`);
    lines.push('Other stored addresses, which the HR Cloud does not show, are replaced too.');
  }
  if (bankDetails) {
    const { iban } = bankDetails;
    lines.push('', 'Bank details', ...compared(BankDetails, person.bankDetails ?? {}, bankDetails));
    if (iban !== undefined && !hasValidCheckDigits(iban)) {
      lines.push('Warning: the check digits of the new IBAN are wrong. Compare it with its source.');
    }
  }
  return lines.join('\n');
}

/** The shortest IBAN of a country. A shorter text would show too much of itself. */
const MIN_IBAN_LENGTH = 15;
const SHOWN_DIGITS = 4;

function display(name: string, value: unknown): string {
  const text = inQuestion(value);
  if (name !== 'iban') return text;
  return text.length < MIN_IBAN_LENGTH ? 'a short number' : `…${text.slice(-SHOWN_DIGITS)}`;
}

/** Once confirmed, a cancellation does not stop the request, because its outcome would be unknown. */
async function send({ hr, copy }: ToolCall, id: string, patch: PersonPatch): Promise<void> {
  try {
    await hr.persons.update(id, patch);
  } catch (error) {
    if (!isHrError(error)) throw error;
    if (error.outcome === 'accepted') return;
    const hint =
      error.outcome === 'unknown'
        ? 'The change may have been made. Ask the user to check it before you try again.'
        : 'The change was not made.';
    throw new ToolError(error.code, `${failureMessage(error)} ${hint}`);
  } finally {
    copy.expire('persons');
  }
}
