import { z } from 'zod';
import type * as models from './generated/models.ts';
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
  .meta({
    id: 'PersonPatch',
    section: '4.1',
    description: 'A change of a person. A sent property replaces the stored one completely. Other properties stay.',
  });
export type PersonPatch = models.PersonPatch;
