import { z } from 'zod';
import { LARGEST_DECIMAL } from './largest-decimal.ts';

/** A finite IEEE double (RFC 7493), at most 1e12 in size. */
export const Decimal = z.number().gte(-LARGEST_DECIMAL).lte(LARGEST_DECIMAL);
