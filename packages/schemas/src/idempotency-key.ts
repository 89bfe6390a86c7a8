import { z } from 'zod';
import { rule } from './rule.ts';
import { idempotencyKey, idempotencyKeyPattern } from './value-rules.ts';

/**
 * The value of the header `Idempotency-Key`. Requests with the same key take effect once. An extension of the
 * specification.
 *
 * @example
 * IdempotencyKey.safeParse('run-7/42').success; // true
 */
export const IdempotencyKey = z.string().check(rule(idempotencyKey)).meta({ pattern: idempotencyKeyPattern.source });
