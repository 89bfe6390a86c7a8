import { notInSpecification } from './lenient.ts';
import { text } from './text.ts';

const MAX_IDENTIFIER_LENGTH = 255;

/**
 * An opaque identifier, 1 to 255 code points. Do not parse it: the form of payroll contract ids may change (section 1).
 * The specification states no length, so responses may contain other lengths.
 */
export const Identifier = notInSpecification(text({ min: 1, max: MAX_IDENTIFIER_LENGTH }));
