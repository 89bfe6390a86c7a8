import { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { MAX_DECIMAL } from './minutes.ts';

/**
 * A finite IEEE double (RFC 7493) with an absolute value of at most 1e12. The specification states no range, so
 * responses may contain larger numbers.
 */
export const Decimal = notInSpecification(z.number().gte(-MAX_DECIMAL).lte(MAX_DECIMAL));
