import { isHrError, type Person, type PersonPatch } from '@hr/client';
import { Address, BankDetails, operations } from '@hr/schemas';
import type { z } from 'zod';
import { failureMessage } from '../report-failure.ts';
import { inQuestion } from './confirm.ts';
import { existingPerson } from './person-filter.ts';
import { personName } from './person-view.ts';
import { hasValidCheckDigits } from '../persons/has-valid-check-digits.ts';
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
  const lines = [`Change the data of ${inQuestion(personName(person).name)} (${inQuestion(person.id)})?`];
  if (addresses) {
    lines.push('', 'Address', ...comparison(Address, person.address ?? {}, addresses[0] ?? {}, reveal));
    if (addresses.length > 1) lines.push(`Further addresses to store: ${addresses.length - 1}`);
    lines.push('Other stored addresses, which the HR Cloud does not show, are replaced too.');
  }
  if (bankDetails) {
    const { iban } = bankDetails;
    lines.push('', 'Bank details', ...comparison(BankDetails, person.bankDetails ?? {}, bankDetails, reveal));
    if (iban !== undefined && !hasValidCheckDigits(iban)) {
      lines.push('Warning: the check digits of the new IBAN are wrong. Compare it with its source.');
    }
  }
  return lines.join('\n');
}

type Fields = Readonly<Record<string, unknown>>;

/** A line for each field with a value before or after. Stored values are shown only with `reveal`. */
function comparison(model: z.ZodObject, before: object, after: object, reveal: boolean): string[] {
  // A newer HR Cloud may store fields that the model does not have.
  const names = new Set([...Object.keys(model.shape), ...Object.keys(before)]);
  return [...names].flatMap((name) => {
    const label = `- ${inQuestion(name)}:`;
    const [old, next] = [(before as Fields)[name] || undefined, (after as Fields)[name] || undefined];
    if (old === undefined && next === undefined) return [];
    const isShown = reveal || name === 'iban';
    const was = isShown ? display(name, old) : 'the stored value';
    if (next === undefined) return [`${label} ${was} will be discarded`];
    if (old === undefined) return [`${label} ${display(name, next)} (new)`];
    return [old === next ? `${label} ${display(name, next)} (unchanged)` : `${label} ${was} → ${display(name, next)}`];
  });
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
