import { z } from 'zod';
import { refuse } from './text.ts';

const pattern = /^[\x21-\x7e]{1,255}$/;

/**
 * The value of the header `Idempotency-Key`. Requests with the same key take effect once. An extension of the
 * specification.
 *
 * @example
 * IdempotencyKey.safeParse('run-7/42').success; // true
 */
export const IdempotencyKey = z
  .string()
  .check((context) => {
    if (!pattern.test(context.value)) refuse(context, 'idempotency-key', pattern);
  })
  .meta({ pattern: pattern.source });
