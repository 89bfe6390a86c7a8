import { z } from 'zod';

const LARGEST = 1e12;

/** A finite IEEE double (RFC 7493), at most 1e12 in size. */
export const Decimal = z.number().gte(-LARGEST).lte(LARGEST);
