import { z } from 'zod';
import type { RawIssue } from './issues.ts';

/** What is wrong with a value of the right type, if anything. It needs no zod: the generated checks call it, too. */
export type Rule<Value, Args extends readonly unknown[]> = (value: Value, ...args: Args) => RawIssue | undefined;

const rules = new WeakMap<object, { readonly name: string; readonly args: readonly unknown[] }>();

/** Makes a check of a model from a rule of `value-rules.ts`. */
export function rule<Value, Args extends readonly unknown[]>(
  test: Rule<Value, Args>,
  ...args: Args
): z.core.$ZodCheck<Value> {
  const check = z.check<Value>(({ value, issues }) => {
    const issue = test(value, ...args);
    if (issue) issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  });
  rules.set(check, { name: test.name, args });
  return check;
}

/** The rule of a check; undefined if it has none. */
export function ruleOf(check: object): { readonly name: string; readonly args: readonly unknown[] } | undefined {
  return rules.get(check);
}
