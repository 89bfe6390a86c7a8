import { z } from 'zod';
import { Address } from './address.ts';
import { BankDetails } from './bank-details.ts';

/**
 * A change of a person (section 4.1). A sent property replaces the stored one completely, exactly as sent. Other
 * properties stay. `addresses: []` clears the address.
 */
export const PersonPatch = z
  .strictObject({
    addresses: z.array(Address).describe('The first one becomes the default address.').optional(),
    bankDetails: BankDetails.optional(),
  })
  .meta({ id: 'PersonPatch' });
export type PersonPatch = z.output<typeof PersonPatch>;
