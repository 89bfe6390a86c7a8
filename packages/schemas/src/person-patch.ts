import { z } from 'zod';
import { Address } from './address.ts';
import { BankDetails } from './bank-details.ts';

/**
 * A change of a person (section 4.1). A property that is sent replaces the stored one whole, exactly as sent;
 * one that is not sent stays. `addresses: []` clears.
 */
export const PersonPatch = z
  .strictObject({
    addresses: z.array(Address).describe('The first one becomes the default address.').optional(),
    bankDetails: BankDetails.optional(),
  })
  .meta({ id: 'PersonPatch' });
export type PersonPatch = z.output<typeof PersonPatch>;
