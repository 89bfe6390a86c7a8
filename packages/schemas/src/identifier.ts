import { text } from './text.ts';

const LONGEST_IDENTIFIER = 255;

/** An opaque identifier, 1 to 255 code points. Never taken apart: the form of payroll contract ids may change (section 1). */
export const Identifier = text({ min: 1, max: LONGEST_IDENTIFIER });
