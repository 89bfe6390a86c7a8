import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Person } from '@hr/client';
import { LocalDate } from '@hr/schemas';
import { sortedName } from '@hr/text/person-name';
import { csv } from '@hr/text/write-csv';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { personTexts } from '../components/person-texts.ts';
import type { Console } from '../backend/console.ts';
import { gapFinder } from '../backend/find-gaps.ts';
import { parseInput } from '../backend/problem.ts';
import { onceASync, teamQuery } from '../backend/teams.ts';
import type { View } from '../backend/view.ts';
import { sortKeys } from '../model/addresses.ts';
import { gaps } from '../model/gaps.ts';
import { dictionaryOf, type Dictionary } from '../model/labels.ts';
import { statuses } from '../model/statuses.ts';
import type { Locale } from '../shell/locale.tsx';
import { byId, filterPeople, listedPerson, type ListedPerson, type PeopleScreen } from './directory.ts';
import { messages } from './messages.ts';

const Since = z.object({ since: z.string().max(100).optional() });
const Missing = z.object({ missing: z.enum(gaps), date: LocalDate });
const CsvQuery = z.object({
  ...teamQuery,
  ...Missing.partial({ missing: true }).shape,
  q: z.string().max(400).optional(),
  sort: z.enum(sortKeys).optional(),
  desc: z
    .literal('true')
    .transform(() => true as const)
    .optional(),
  locale: z.enum(['en', 'de']),
});

/** Adds the directory and its export. */
export function addPeopleRoutes(app: FastifyInstance, { records }: Console): void {
  const versionsOf = new WeakMap<object, DirectoryVersions>();
  // Every open browser asks after each change.
  const directoryOf = onceASync((view: View) => {
    const versions = versionsOf.get(view.audience) ?? new DirectoryVersions();
    versionsOf.set(view.audience, versions);
    versions.update(Array.from(view.persons(), listedPerson));
    return versions;
  });

  app.get('/bff/people', ({ view, query }): PeopleScreen => directoryOf(view).since(parseInput(Since, query).since));

  app.get('/bff/missing', ({ view, query }): string[] =>
    personsWithout(view, parseInput(Missing, query)).map(({ id }) => id),
  );

  app.get('/bff/people/csv', ({ query, user, view }, reply) => {
    const { locale, missing, date, ...search } = parseInput(CsvQuery, query);
    const persons = missing ? personsWithout(view, { missing, date }) : [...view.persons()];
    const dictionary = dictionaryOf(records.labels(), locale);
    const { compare } = new Intl.Collator(locale, { numeric: true });
    const groupName = (id: string): string => dictionary.nameOf('group', id);
    const byPersonId = new Map(persons.map((person) => [person.id, person]));
    const shown = filterPeople(persons.map(listedPerson), search, compare, groupName);
    records.record(user, 'export');
    return reply
      .type('text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="${messages[locale].fileName}-${date}.csv"`)
      .send(
        peopleCsv(
          shown.map(({ id }) => byPersonId.get(id) as Person),
          locale,
          dictionary,
        ),
      );
  });
}

function personsWithout(view: View, { missing, date }: z.infer<typeof Missing>): Person[] {
  const gapsOf = gapFinder(view, date);
  return [...view.persons({ status: 'ACTIVE' })].filter((person) => gapsOf(person).includes(missing));
}

const list = (values: readonly string[] = []): string | undefined => values.join(', ') || undefined;

/** A table for a spreadsheet, with headings in the language of the person. */
function peopleCsv(persons: readonly Person[], locale: Locale, { nameOf }: Dictionary): string {
  const { fields } = personTexts[locale];
  type Field = 'id' | 'employeeNumber' | 'jobTitle' | 'usualPlaceOfWork' | 'businessEmail';
  const field = (name: Field | 'groupEntryDate' | 'groupExitDate', type = 'text') => ({
    name: fields[name],
    value: ({ [name]: value }: Person) => value,
    type,
  });
  return csv(
    [
      field('id'),
      { name: fields.lastName, value: (person) => sortedName(person)[0] },
      { name: fields.firstName, value: (person) => sortedName(person)[1] || undefined },
      field('employeeNumber'),
      field('jobTitle'),
      field('usualPlaceOfWork'),
      field('businessEmail'),
      { name: fields.groups, value: ({ groups }) => list(groups?.map(({ id }) => id)) },
      { name: messages[locale].groupNames, value: ({ groups }) => list(groups?.map(({ id }) => nameOf('group', id))) },
      { name: fields.status, value: ({ status }) => status && (statuses[locale][status] ?? status) },
      field('groupEntryDate', 'date'),
      field('groupExitDate', 'date'),
      { name: fields.employments, value: ({ employments }) => list(employments?.map((one) => one.payrollContractId)) },
    ],
    persons,
    locale,
  );
}

/** Remembers when each person of the directory changed, so that a page reads only what changed since its own version. */
export class DirectoryVersions {
  /** A version of another process is unknown. */
  readonly #process = randomUUID();
  readonly #rows = new Map<string, { readonly row: ListedPerson; readonly version: number }>();
  readonly #deleted = new Map<string, number>();
  #version = 0;

  /** Takes all persons, of whom any may have changed. */
  update(rows: Iterable<ListedPerson>): void {
    const version = this.#version + 1;
    const gone = new Set(this.#rows.keys());
    for (const row of rows) {
      gone.delete(row.id);
      if (isDeepStrictEqual(this.#rows.get(row.id)?.row, row)) continue;
      this.#rows.set(row.id, { row, version });
      this.#deleted.delete(row.id);
      this.#version = version;
    }
    for (const id of gone) {
      this.#rows.delete(id);
      this.#deleted.set(id, version);
      this.#version = version;
    }
  }

  /** Returns what changed since a version, or all persons if it is unknown. */
  since(known: string | undefined): PeopleScreen {
    const version = `${this.#process} ${this.#version}`;
    const [process, text = ''] = known?.split(' ') ?? [];
    if (process !== this.#process) {
      return { version, rows: Array.from(this.#rows.values(), ({ row }) => row).toSorted(byId) };
    }
    const isNewer = (other: number): boolean => other > Number(text);
    return {
      version,
      rows: [...this.#rows.values()].filter((stored) => isNewer(stored.version)).map(({ row }) => row),
      deleted: [...this.#deleted].filter(([, deletedIn]) => isNewer(deletedIn)).map(([id]) => id),
    };
  }
}
