import { currentName, issuesOf, jsonPointer } from '@hr/schemas';
import type { z } from 'zod';
import type { Finding } from './drift.ts';
import { fieldsOf } from './fields-of.ts';

/** What is wrong with an example. That fields are missing is right: a contract names those that are used. */
export function* checkExample(model: z.ZodType, example: unknown, where: string): Generator<Finding> {
  for (const { path, model: known } of fieldsOf(model, example)) {
    const place = `${where} ${jsonPointer(path)}`;
    if (known?.meta()?.deprecated)
      yield { kind: 'notes', place, sentence: `is deprecated. ${known.meta()?.description ?? ''}`.trim() };
    if (!known) yield { kind: 'faults', place, sentence: unknownName(String(path.at(-1))) };
  }
  for (const { pointer, code, detail } of issuesOf(model.safeParse(example).error ?? { issues: [] }, example)) {
    if (code === 'required' || code === 'unknown-name' || code === 'former-name') continue;
    yield {
      kind: 'faults',
      place: `${where} ${pointer}`,
      sentence: `The example is not what the API answers: it ${detail}.`,
    };
  }
}

function unknownName(name: string): string {
  const current = currentName(name);
  return current === undefined
    ? 'The API has no such field; remove it or correct its name.'
    : `This is the former name of ${current}; use that.`;
}
