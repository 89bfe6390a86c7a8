import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { labelKinds, type Label, type LabelKind } from '@hr/text/labels';
import { labelsCsv, readLabels, type LabelFault } from '@hr/text/labels-file';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Console } from '../backend/console.ts';
import { parseInput, Problem } from '../backend/problem.ts';
import type { View } from '../backend/view.ts';
import type { LabelChange } from '../model/labels.ts';

/** A key of the dictionary or of the data. */
export interface LabelEntry extends Pick<Label, 'kind' | 'key'> {
  /** Number of persons, employments, bookings and absences, or payments, as far as the console knows. */
  readonly uses: number;
  /** Null if the key has no name. */
  readonly label: Label | null;
}

/** What a file would change. The dictionary is the same as the file then. */
export interface LabelsCheck {
  readonly changes: readonly LabelChange[];
  readonly faults: readonly LabelFault[];
}

const MAX_BODY_BYTES = 2 ** 23;
const Csv = z.object({ locale: z.enum(['de', 'en']) });
const File = z.strictObject({ content: z.string() });
const text = z.string();
const Entry = z.strictObject({ kind: z.enum(labelKinds), key: text, en: text, de: text, color: text }).nullable();
const Changes = z.strictObject({ changes: z.array(z.strictObject({ before: Entry, after: Entry })) });
const { compare } = new Intl.Collator('de', { numeric: true });

/** Adds the dictionary. */
export function addLabelsRoutes(app: FastifyInstance, { cloud, live, records }: Console): void {
  const administrator = { bodyLimit: MAX_BODY_BYTES, config: { role: 'administrator' } } as const;
  const localOf = new WeakMap<object, { readonly of: string; readonly entries: Entries }>();

  app.get('/bff/labels', (): readonly Label[] => records.labels());

  app.get('/bff/labels/entries', async ({ view }): Promise<readonly LabelEntry[]> => {
    const of = JSON.stringify(view.status());
    let local = localOf.get(view.people);
    if (local?.of !== of) localOf.set(view.people, (local = { of, entries: await localEntries(view) }));
    const entries: Entries = new Map(local.entries);
    const hasPay = view.mayForAll('pay');
    for (const component of hasPay ? cloud.components : []) count(entries, 'compensationComponent', component, 0);
    // Names can be kept while the service does not answer.
    for (const payment of hasPay ? await cloud.operator.payments({}).catch(() => []) : [])
      count(entries, 'compensationComponent', payment.compensationComponentId);
    for (const label of records.labels()) {
      const { kind, key } = label;
      entries.set(nameOf(label), { kind, key, uses: entries.get(nameOf(label))?.uses ?? 0, label });
    }
    return [...entries.values()].toSorted(compareKeys);
  });

  app.get('/bff/labels/csv', ({ query }, reply) => {
    const headers = { 'content-disposition': 'attachment; filename="labels.csv"' };
    const content = labelsCsv(records.labels(), parseInput(Csv, query).locale);
    return reply.type('text/csv; charset=utf-8').headers(headers).send(content);
  });

  app.post('/bff/labels/check', administrator, ({ body }): LabelsCheck => {
    const { labels, faults } = readLabels(parseInput(File, body).content);
    return { changes: changesOf(records.labels(), labels), faults };
  });

  app.post('/bff/labels', administrator, ({ body, user }, reply) => {
    const stored = records.labels();
    const next = byName(stored);
    for (const { before, after } of parseInput(Changes, body).changes) {
      const isCurrent = !before || isDeepStrictEqual(next.get(nameOf(before)), before);
      if (before) next.delete(nameOf(before));
      if (!isCurrent || (after && next.has(nameOf(after)))) {
        throw new Problem('conflict', 'Another person changed an entry meanwhile.');
      }
      if (after) next.set(nameOf(after), after);
    }
    // What is stored is what a file of it has, which begins with a byte order mark.
    const file = labelsCsv([...next.values()].toSorted(compareKeys), 'en').slice(1);
    const { labels, faults } = readLabels(file);
    const [fault] = faults;
    if (fault) throw new Problem('invalid-input', fault.detail, { errors: [{ pointer: '/changes', ...fault }] });
    const made = changesOf(stored, labels);
    if (made.length > 0) {
      records.replaceLabels(labels);
      records.record(user, 'change-labels', JSON.stringify(made));
      live.announce('labels');
    }
    return reply.code(204).send();
  });
}

type Entries = Map<string, LabelEntry>;

function nameOf({ kind, key }: Pick<Label, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function byName(labels: readonly Label[]): Map<string, Label> {
  return new Map(labels.map((label) => [nameOf(label), label]));
}

function compareKeys(one: Pick<Label, 'kind' | 'key'>, other: Pick<Label, 'kind' | 'key'>): number {
  return labelKinds.indexOf(one.kind) - labelKinds.indexOf(other.kind) || compare(one.key, other.key);
}

/** The entries that differ. */
function changesOf(stored: readonly Label[], next: readonly Label[]): LabelChange[] {
  const [before, after] = [byName(stored), byName(next)];
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((name) => ({ before: before.get(name) ?? null, after: after.get(name) ?? null }))
    .filter((change) => !isDeepStrictEqual(change.before, change.after));
}

function count(entries: Entries, kind: LabelKind, key: string | null | undefined, uses = 1): void {
  if (!key) return;
  const name = nameOf({ kind, key });
  entries.set(name, { kind, key, uses: (entries.get(name)?.uses ?? 0) + uses, label: null });
}

/** The keys of the local copy. There may be millions of bookings, so other requests are handled in between. */
async function localEntries(view: View): Promise<Entries> {
  const entries: Entries = new Map();
  const persons = Array.from(view.persons(), ({ id, groups, legalEntity, exitReasonId, employments }) => {
    for (const group of groups ?? []) count(entries, 'group', group.id);
    for (const { personGroupCode } of employments ?? []) count(entries, 'personGroup', personGroupCode);
    count(entries, 'legalEntity', legalEntity?.id);
    count(entries, 'exitReason', exitReasonId);
    return id;
  });
  for (const personId of persons) {
    const days = Array.from(view.bookings({ personId })).flatMap((person) => person.days);
    const bookings = days.flatMap((day) => day.bookings ?? []);
    for (const { key } of [...bookings, ...view.absences({ personId })]) count(entries, 'bookingKey', key);
    // oxlint-disable-next-line no-await-in-loop -- one person after the other
    await setImmediate();
  }
  return entries;
}
