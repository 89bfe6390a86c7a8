import { z } from 'zod';
import { text } from './text.ts';

/** Where a person's pay goes (section 2.4). Only form and length are checked: checksums belong to the bank. */
export const BankDetails = z
  .strictObject({
    iban: text({ min: 5, max: 34, pattern: /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/ }).optional(),
    bic: text({ min: 8, max: 11, pattern: /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/ }).optional(),
    payee: text({ max: 70 }).describe('Name of the payee, if different from the person.').optional(),
  })
  .meta({ id: 'BankDetails' });
export type BankDetails = z.output<typeof BankDetails>;
