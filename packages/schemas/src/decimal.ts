import { z } from 'zod';
import { notInSpecification } from './lenient.ts';
import { MAX_DECIMAL } from './minutes.ts';

/**
 * A finite IEEE double (RFC 7493), at most 1e12 in size. The specification states no range, so responses may carry larger
 * ones.
 */
export const Decimal = notInSpecification(z.number().gte(-MAX_DECIMAL).lte(MAX_DECIMAL));
