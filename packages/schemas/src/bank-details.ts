import { z } from 'zod';
import type * as models from './generated/models.ts';
import { text } from './text.ts';

/** The bank account of a person (section 2.4). The model checks form and length, not checksums. */
export const BankDetails = z
  .strictObject({
    iban: text({ min: 5, max: 34, pattern: /^[A-Z]{2}\d{2}[A-Z\d]{1,30}$/ }).optional(),
    bic: text({ min: 8, max: 11, pattern: /^[A-Z\d]{4}[A-Z]{2}[A-Z\d]{2}(?:[A-Z\d]{3})?$/ }).optional(),
    payee: text({ max: 70 }).describe('Name of the payee, if different from the person.').optional(),
  })
  .meta({ id: 'BankDetails', section: '2.4', description: 'The bank account of a person.' });
export type BankDetails = models.BankDetails;
