import { issuesOf } from '@hr/schemas';
import type { Issue } from '@hr/schemas';
import type { z } from 'zod';

/** What is wrong in an example of a model. It has only the keys that a consumer uses and one element of a list, so nothing is missed. */
export function exampleFaults(model: z.ZodType, example: unknown): Issue[] {
  const issues = model.safeParse(example).error?.issues ?? [];
  return issuesOf({ issues: issues.filter((issue) => !isForgiven(issue, example)) }, example);
}

function isForgiven(issue: z.core.$ZodIssue, value: unknown): boolean {
  const found = issue.path.reduce<unknown>((holder, name) => (holder as Record<PropertyKey, unknown>)[name], value);
  if (issue.code === 'too_small' && Array.isArray(found)) return found.length > 0;
  if (issue.code !== 'invalid_union') return found === undefined && issue.path.length > 0;
  return issue.errors.some((issues) => issues.every((each) => isForgiven(each, found)));
}
