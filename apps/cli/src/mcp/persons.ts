import { isHrError, type Person, type PersonChange, type PersonPatch } from '@hr/client';
import { Address, BankDetails, operations, Person as PersonModel } from '@hr/schemas';
import { fieldsOf, systems } from '@hr/schemas/rules';
import { hasWrongCheckDigits, maskedIban } from '@hr/text/iban';
import { personName } from '@hr/text/person-name';
import { comparison } from '../persons/comparison.ts';
import { failureMessage } from '../report-failure.ts';
import { inQuestion } from './confirm.ts';
import { Counts, groupPersonsBy, valuesOf, type GroupBy } from './counts.ts';
import { pageOf, pageParameters, type PageQuery } from './pages.ts';
import { existingPerson, personParameters, selectedPersons } from './person-filter.ts';
import { personDetails, personInList } from './person-view.ts';
import { operationTool, readingTool, ToolError, type ToolCall } from './tool.ts';

const personOf = ({ id }: { readonly id: string }) => id;

const listPersons = operationTool('listPersons', {
  about:
    'Reads the local copy, in pages, and counts. With `groupBy`, one call answers "how many joined in 2025, by group"; a member of two groups counts in both. Bank details, addresses and other private fields are not shown. getPerson shows the employments and custom fields of one person. With `changedSince` it asks the HR Cloud itself, and only says in which systems (master data, payroll, time) data changed, not which fields.',
  parameters: {
    changedSince: operations.listPersons.query.shape.changedSince,
    ...personParameters,
    groupBy: groupPersonsBy,
    ...pageParameters,
  },
  async run(call, query) {
    const { changedSince, cursor: _cursor, limit: _limit, ...filter } = query;
    const { groupBy } = filter;
    const head = await call.copy.upToDate(call, ['persons']);
    if (changedSince !== undefined) {
      if (Object.values(filter).some((value) => value !== undefined)) {
        const reason = '/changedSince lists everyone who changed. Leave out the other filters and groupBy.';
        throw new ToolError('invalid-arguments', reason);
      }
      const rows = call.hr.persons.list({ changedSince }, { signal: call.signal });
      return await pageOf(call, query, { head, name: 'persons', rows, view: (row) => changeView(call, row), personOf });
    }
    if (groupBy !== undefined) return await countPersons(call, query, head);
    const rows = selectedPersons(call, query);
    return await pageOf(call, query, { head, name: 'persons', rows, view: personInList, keyOf: personOf, personOf });
  },
});

const listGroups = readingTool('List groups and the number of their members', ['listPersons'], {
  about:
    'Reads the local copy; the largest group comes first. The HR Cloud has no names of groups, only ids. A person can be a member of several groups.',
  parameters: pageParameters,
  async run(call, query) {
    const head = await call.copy.upToDate(call, ['persons']);
    return await countPersons(call, { ...query, groupBy: 'group' }, head);
  },
});

type CountQuery = Parameters<typeof selectedPersons>[1] & PageQuery & { readonly groupBy?: GroupBy };

async function countPersons(call: ToolCall, query: CountQuery, freshness: object): Promise<object> {
  const counts = new Counts();
  let persons = 0;
  for await (const person of selectedPersons(call, query)) {
    persons++;
    counts.add(valuesOf(person, query.groupBy), person, { active: Number(person.status === 'ACTIVE') });
  }
  return await counts.page(call, query, { head: { ...freshness, persons } });
}

const getPerson = readingTool('Show a person', ['listPersons'], {
  about:
    'Reads the local copy. `masked` names the fields that have a value but are not shown. The custom fields come in pages.',
  parameters: { id: PersonModel.shape.id, ...pageParameters },
  async run(call, { id, ...page }) {
    const freshness = await call.copy.upToDate(call, ['persons']);
    const { customFields, ...details } = personDetails(await existingPerson(call, id, '/id'), call.reveal);
    call.note({ personIds: [id] });
    const head = { ...freshness, ...details };
    return await pageOf(call, page, { head, name: 'customFields', rows: customFields });
  },
});

function changeView({ mirror }: ToolCall, change: PersonChange): object {
  const { id } = change;
  if (change.deleted ?? change.erased) return { id, deleted: true };
  // A list of changes has all fields of a system, or none.
  const changed = systems.filter((system) => fieldsOf(system).some((field) => field in change));
  return { ...personInList(mirror.person(id)?.person ?? { id }), changed };
}

const updatePerson = operationTool('updatePerson', {
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
    return { personId: id, name: personName(before), changed };
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
    name === 'iban'
      ? inQuestion(maskedIban(String(value)))
      : isStored && !reveal
        ? 'the stored value'
        : inQuestion(value);
  const compared = (...values: [model: typeof Address | typeof BankDetails, before: object, after: object]) =>
    comparison(...values, shown).map((line) => `- ${line}`);
  const lines = [`Change the data of ${inQuestion(personName(person))} (${inQuestion(person.id)})?`];
  if (addresses) {
    lines.push('', 'Address', ...compared(Address, person.address ?? {}, addresses[0] ?? {}));
    if (addresses.length > 1) lines.push(`Further addresses to store: ${addresses.length - 1}`);
    lines.push('Other stored addresses, which the HR Cloud does not show, are replaced too.');
  }
  if (bankDetails) {
    const { iban } = bankDetails;
    lines.push('', 'Bank details', ...compared(BankDetails, person.bankDetails ?? {}, bankDetails));
    if (iban !== undefined && hasWrongCheckDigits(iban)) {
      lines.push('Warning: the check digits of the new IBAN are wrong. Compare it with its source.');
    }
  }
  return lines.join('\n');
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

/** The tools of persons. */
export const personTools = { listPersons, listGroups, getPerson, updatePerson };
