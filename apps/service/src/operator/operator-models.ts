import { text } from '@hr/schemas';
import { z } from 'zod';

// What the models of several resources consist of.

const MAX_TEXT_LENGTH = 1000;

/** A text that an operator writes. */
export const OperatorText = text({ min: 1, max: MAX_TEXT_LENGTH });

// The pattern says no more than the format, and takes 300 characters at each place in the OpenAPI document.
export const Moment = z.iso.datetime({ offset: true }).meta({ pattern: undefined });

/** The title of a boolean whose option takes a value, because `false` differs from no option. */
export const YES_OR_NO = 'yes|no';

export const NoBody = z.strictObject({}).optional().meta({ id: 'NoBody', description: 'Nothing, or an empty object.' });

/** The id of what is made at a moment, which is in it. */
export const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
