import { isDeepStrictEqual } from 'node:util';
import type { Person, PersonPatch } from '@hr/client';
import { Address, BankDetails, issuesOf, operations } from '@hr/schemas';
import { hasWrongCheckDigits } from '@hr/text/iban';
import { printable } from '@hr/text/printable';
import { CliError, exitCodes } from '../cli-error.ts';
import type { Context } from '../context.ts';
import { personKind } from '../output/record-kinds.ts';
import { inputName, readTextInput } from '../read-input.ts';
import { syncCollection } from '../up-to-date-mirror.ts';
import { storedPerson } from './persons.ts';
import { comparison } from './comparison.ts';

interface ChangeOptions {
  readonly file: string;
  readonly dryRun?: true;
}

/** `hr persons set-address`. The first address becomes the address of the person (section 4.1). */
export async function setAddress(context: Context, id: string, options: ChangeOptions): Promise<void> {
  const content = await readJson(context, options.file);
  await change(context, id, { addresses: Array.isArray(content) ? content : [content] }, options);
}

/** `hr persons set-bank`. */
export async function setBank(context: Context, id: string, options: ChangeOptions): Promise<void> {
  await change(context, id, { bankDetails: await readJson(context, options.file) }, options);
}

async function change(context: Context, id: string, given: object, { file, dryRun }: ChangeOptions): Promise<void> {
  const patch = checkedPatch(given, file);
  const field = patch.addresses ? 'address' : 'bankDetails';
  const after = { ...(patch.addresses?.[0] ?? patch.bankDetails) };
  const iban = patch.bankDetails?.iban;
  if (iban && hasWrongCheckDigits(iban)) {
    context.terminal.stderr.write('Warning: the check digits of the IBAN are wrong. Compare it with its source.\n');
  }
  const { terminal, flags } = context;
  const mirror = await context.mirror();
  const read = async (): Promise<Person> => {
    await syncCollection(context, mirror, 'persons');
    return storedPerson(mirror, id).person;
  };
  // Without a terminal it would go to a log.
  const show = (line: string) => (terminal.stderr.isTTY || dryRun) && terminal.stderr.write(`${printable(line)}\n`);
  let person = await read();
  for (;;) {
    const model = patch.addresses ? Address : BankDetails;
    const lines = comparison(model, { ...person[field] }, after, (_name, value) => String(value));
    for (const line of lines) show(`  ${field}.${line}`);
    if (field === 'address') show('Other addresses of the person, which the API does not show, are replaced too.');
    if (dryRun) {
      context.info('Nothing was sent.');
      return;
    }
    // oxlint-disable no-await-in-loop -- until what was compared is what is stored
    await context.confirm(`Send this change of person ${id}?`);
    const now = await read();
    // oxlint-enable no-await-in-loop
    if (isDeepStrictEqual(now[field], person[field])) break;
    const what = `Nothing was sent: person ${id} was changed meanwhile.`;
    if (flags.yes || !context.canAsk) throw new CliError(`${what} Run the command again.`, exitCodes.rejected);
    show(`${what} Compare again:`);
    person = now;
  }
  const hr = await context.client();
  const changed = await hr.persons.update(id, patch, { signal: context.signal });
  context.info(`Changed person ${id}.`);
  // Other commands read the local copy as it is for a while.
  await syncCollection(context, mirror, 'persons').catch(() => undefined);
  if (changed && context.wantsRecords) await context.write(personKind, [changed]);
}

/** The error names places, and no values. */
function checkedPatch(patch: unknown, file: string): PersonPatch {
  const checked = operations.updatePerson.body.safeParse(patch);
  if (checked.success) return checked.data;
  const lines = issuesOf(checked.error, patch).map(({ pointer, detail }) => `  ${pointer} ${detail}`);
  throw new CliError(`${inputName(file)} is not valid:\n${lines.join('\n')}`, exitCodes.usage);
}

async function readJson({ terminal }: Context, file: string): Promise<unknown> {
  if (file === '-' && terminal.stdin.isTTY) throw new CliError('Name a file: --file address.json', exitCodes.usage);
  const content = await readTextInput(terminal, file);
  try {
    return JSON.parse(content) as unknown;
  } catch {
    // The message of a SyntaxError quotes the file.
    throw new CliError(`${inputName(file)} is not valid JSON.`, exitCodes.usage);
  }
}
