/** The largest size of a `Decimal`. */
export const LARGEST_DECIMAL = 1e12;
