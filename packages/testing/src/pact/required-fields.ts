import { operations, type OperationId } from '@hr/schemas';
import { z } from 'zod';
import { idsIn, kindOfId, ownerOf, recordKinds } from '../contract/record-ids.ts';
import { fixtures, type Fixtures } from '../fixtures/fixtures.ts';
import { complete } from '../fixtures/invalid.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { inner } from '../model/leaf.ts';

/** The builder of the model of a response, which has the name of the model. */
function builderOf(response: z.ZodType): Fixtures['person'] {
  const { id = '' } = z.globalRegistry.get(response) ?? {};
  return fixtures()[`${id.charAt(0).toLowerCase()}${id.slice(1)}` as 'person'];
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Adds the fields that the model requires, because `@hr/client` rejects a response without them. Their values are the
 * ids of the request and of the states, or come from fixtures.
 *
 * @returns the example, and the places of the fields that were added, such as `$[*].startDate`
 * @throws {HrTestingError} `invalid-option` if the example has only ids that neither the states nor the path name
 */
export function withRequiredFields(
  id: OperationId,
  example: unknown,
  ids: Fields,
  named: ReadonlyMap<string, readonly string[]>,
) {
  const { response, path } = operations[id];
  const owner = ownerOf(path);
  const added = new Set<string>();
  const slots: { readonly kind: string; readonly set: (recordId: string) => void }[] = [];

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
        const kind = name in ids ? undefined : kindOfId(`${place}.${name}`, owner);
        if (kind !== undefined) slots.push({ kind, set: (recordId) => void (filled[name] = recordId) });
        // Keeps only the required parts of a list or an object.
        filled[name] = Array.isArray(found) ? [] : found instanceof Object ? {} : found;
      }
      filled[name] = fill(own, filled[name], found, `${place}.${name}`);
    }
    return filled;
  }

  const isList = Array.isArray(example);
  const values: unknown[] = isList ? example : [example];
  const samples: readonly object[] = builderOf(response).list(values.length);
  const filled = samples.map((sample, index) => {
    return fill(response, values[index], { ...(complete(response, sample) as Fields), ...ids }, isList ? '$[*]' : '$');
  });
  for (const kind of recordKinds) {
    const known = named.get(kind) ?? [];
    const given = idsIn(example, owner).filter((each) => each.kind === kind);
    const [first] = given;
    if (first && known.length > 0 && !given.some((each) => known.includes(each.id))) {
      const fault = `example: the id at ${first.place} is not the one that "given" or the path names: ${known.join(', ')}`;
      throw invalidOption(`${fault}. Use that id, or leave the field out.`);
    }
    const open = slots.filter((slot) => slot.kind === kind);
    const others = known.filter((each) => !given.some((one) => one.id === each));
    // With fewer elements than records, a filter decides which of them are listed.
    if (others.length <= open.length) for (const [index, other] of others.entries()) open[index]?.set(other);
  }
  return { filled: isList ? filled : filled[0], added: [...added].toSorted() };
}
