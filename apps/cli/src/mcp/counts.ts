import type { Person } from '@hr/client';
import { z } from 'zod';
import { personName } from '@hr/text/person-name';
import { pageOf, type PageQuery } from './pages.ts';
import type { ToolCall } from './tool.ts';

const YEAR = 'YYYY'.length;

/** By what persons can be counted: by fields that lists show. A person can be in several groups. */
const valuesBy = {
  group: ({ groups }) => groups?.map(({ id }) => id),
  status: ({ status }) => [status],
  entryYear: ({ groupEntryDate }) => [groupEntryDate?.slice(0, YEAR)],
  exitYear: ({ groupExitDate }) => [groupExitDate?.slice(0, YEAR)],
  jobTitle: ({ jobTitle }) => [jobTitle],
  legalEntity: ({ legalEntity }) => [legalEntity?.id],
  usualPlaceOfWork: ({ usualPlaceOfWork }) => [usualPlaceOfWork],
  managerId: ({ managerId }) => [managerId],
} satisfies Record<string, (person: Person) => readonly (string | null | undefined)[] | undefined>;

/** Their rows are in the order of time. Of the others, the largest comes first. */
const ofTime: ReadonlySet<string> = new Set(['entryYear', 'exitYear', 'month']);

const names = Object.keys(valuesBy) as (keyof typeof valuesBy)[];
const parameter = <Name extends string>(values: readonly Name[]) =>
  z.enum(values).describe('Returns numbers instead of a list, one row for each value.').optional();

/** The parameter of tools that count persons. */
export const groupPersonsBy = parameter(names);
/** The parameter of tools that count what persons have on days. */
export const groupDaysBy = parameter([...names, 'month', 'person']);

export type GroupBy = z.output<typeof groupDaysBy>;

/** In which rows a day of a person counts: those of its values, or the only row. An empty field counts as null. */
export function valuesOf(person: Person, groupBy: GroupBy, day = ''): (string | null)[] {
  if (groupBy === 'person') return [person.id];
  if (groupBy === 'month') return [day.slice(0, 'YYYY-MM'.length)];
  const values = new Set(groupBy && valuesBy[groupBy](person)?.map((value) => value || null));
  return values.size > 0 ? [...values] : [null];
}

type Numbers = Record<string, number>;

/** Numbers of persons and of other things, by value. */
export class Counts {
  readonly #rows = new Map<string | null, { readonly persons: Set<Person>; readonly numbers: Numbers }>();

  /** Counts a person in rows, and adds numbers. */
  add(values: Iterable<string | null>, person: Person, more: Readonly<Numbers> = {}): void {
    for (const value of values) {
      const { persons, numbers } = this.#rows.get(value) ?? { persons: new Set(), numbers: {} };
      this.#rows.set(value, { persons: persons.add(person), numbers });
      for (const [name, number] of Object.entries(more)) numbers[name] = (numbers[name] ?? 0) + number;
    }
  }

  /**
   * A page of the rows. Each begins with its value, unless there is but one.
   *
   * @param size - The number by which the largest row comes first.
   */
  async page(
    call: ToolCall,
    query: PageQuery & { readonly groupBy?: string | undefined },
    { head, size, view }: { head: object; size?: string; view?: (numbers: Numbers) => object },
  ): Promise<object> {
    const { groupBy = '' } = query;
    const byValue = Array.from(this.#rows, ([value, { persons, numbers }]) => {
      return { value, persons, numbers, order: size === undefined ? persons.size : (numbers[size] ?? 0) };
    }).toSorted((one, other) => ((one.value ?? '') < (other.value ?? '') ? -1 : 1));
    const personOf = ({ value }: (typeof byValue)[number]) => String(value);
    return await pageOf(call, query, {
      head,
      name: 'counts',
      rows: ofTime.has(groupBy) ? byValue : byValue.toSorted((one, other) => other.order - one.order),
      ...(groupBy === 'person' && { personOf }),
      view({ value, persons, numbers }) {
        const [first] = persons;
        const group = groupBy === 'group' && first?.groups?.find(({ id }) => id === value);
        return {
          ...(groupBy && { [groupBy]: value }),
          ...(group && { type: group.type ?? undefined }),
          ...(groupBy === 'person' && first ? { name: personName(first) } : { persons: persons.size }),
          ...(view?.(numbers) ?? numbers),
        };
      },
    });
  }
}
