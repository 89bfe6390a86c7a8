import { operations } from '@hr/schemas';
import type { OperationId } from '@hr/schemas';
import { z } from 'zod';
import { fixtures } from '../fixtures/fixtures.ts';
import type { Fixtures } from '../fixtures/fixtures.ts';
import { complete } from '../fixtures/invalid.ts';
import { inner } from '../model/leaf.ts';

const builderNames = {
  listPersons: 'person',
  updatePerson: 'person',
  submitVariablePayment: 'variablePayment',
  listVariablePayments: 'variablePayment',
  listTimeBookings: 'timeBookingPerson',
  listSalaryHistory: 'salaryHistoryEntry',
  listAbsences: 'absence',
} as const satisfies Record<OperationId, keyof Fixtures>;

type Fields = Readonly<Record<string, unknown>>;

/**
 * An example with the fields that its model requires, because `@hr/client` rejects a response without them. They are the
 * ids of the request, or from fixtures.
 *
 * @returns the example, and the places of the fields that were added, such as `$[*].startDate`
 */
export function withRequiredFields(id: OperationId, example: unknown, ids: Fields) {
  const { response } = operations[id];
  const added = new Set<string>();

  function fill(field: z.core.$ZodType, value: unknown, sample: unknown, place: string): unknown {
    const model = inner(field);
    if (model instanceof z.ZodArray && Array.isArray(value)) {
      return value.map((element) =>
        fill(model.element, element, (sample as unknown[] | undefined)?.[0], `${place}[*]`),
      );
    }
    if (!(model instanceof z.ZodObject && value instanceof Object)) return value;
    const filled: Record<string, unknown> = { ...(value as Fields) };
    for (const [name, own] of Object.entries<z.ZodType>(model.shape)) {
      const found = (sample as Fields | undefined)?.[name];
      if (filled[name] === undefined) {
        if (own.safeParse(undefined).success) continue;
        added.add(`${place}.${name}`);
        // Of a list or an object, only what is required.
        filled[name] = Array.isArray(found) ? [] : found instanceof Object ? {} : found;
      }
      filled[name] = fill(own, filled[name], found, `${place}.${name}`);
    }
    return filled;
  }

  const isList = Array.isArray(example);
  const values: unknown[] = isList ? example : [example];
  const samples: readonly object[] = fixtures()[builderNames[id]].list(values.length);
  const filled = samples.map((sample, index) => {
    return fill(response, values[index], { ...(complete(response, sample) as Fields), ...ids }, isList ? '$[*]' : '$');
  });
  return { filled: isList ? filled : filled[0], added: [...added].toSorted() };
}
