import { z } from 'zod';

/** The largest size of a {@link Decimal}. */
export const LARGEST_DECIMAL = 1e12;

/** A finite IEEE double (RFC 7493), at most 1e12 in size. */
export const Decimal = z.number().gte(-LARGEST_DECIMAL).lte(LARGEST_DECIMAL);
