import { issuesOf } from '@hr/schemas';
import type { z } from 'zod';
import { leafFaults } from '../../fixtures/invalid.ts';
import { leafOf } from '../../model/leaf.ts';

const MAX_PROBE = 1000;
const INEXPRESSIBLE = new Set(['impossible date', 'impossible time', 'sixty minutes', 'third decimal']);
/** JSON does not carry them, whatever a provider changes. */
const NEVER_SENT = new Set(['lone surrogate', 'NUL']);

const texts = ['', 'x', '1', 'DE', 'Zoë Müller-Lüdenscheidt, 3.', '5-4711', 'a@b', 'Zoe.B+hr@sub.example.org'];
const dates = ['0001-01-01', '2024-02-29', '9999-12-31', '1999-12', '2026-01-31T08:15', '2026-01-31T23:59:59.5'];
const ofManyForms: readonly unknown[] = [...texts, ...dates, 0, 2, -1, 0.5, 1.3, true, false];

/** Values that a model allows: of its lists, at its bounds, of many forms. */
export function allowed(model: z.ZodType, example: unknown): readonly unknown[] {
  const { values = [], examples, minLength, maxLength, minimum, maximum } = leafOf(model);
  const bounds = [minLength, Math.min(maxLength, MAX_PROBE)].map((length) => 'x'.repeat(length));
  const candidates = [example, ...values, ...examples, ...bounds, minimum, maximum, ...ofManyForms];
  return candidates.filter((candidate) => model.safeParse(candidate).success);
}

/** Values that a model refuses, each for one reason, and whether a matcher can express that: a type, a list of values, a pattern. */
export function refused(model: z.ZodType, example: unknown) {
  return [...leafFaults(model, example)].flatMap(({ rule, code, broken }) => {
    // Every integer of JavaScript is a safe one: no rule of the API.
    const isUnsafe = typeof broken === 'number' && Math.abs(broken) > Number.MAX_SAFE_INTEGER;
    const [issue] = issuesOf(model.safeParse(broken).error ?? { issues: [] }, broken);
    if (NEVER_SENT.has(rule) || isUnsafe || issue?.code !== code) return [];
    const isBound = code === 'too-long' || code === 'too-short' || code === 'out-of-range';
    return [{ value: broken, detail: issue.detail, isExpressible: !isBound && !INEXPRESSIBLE.has(rule) }];
  });
}
