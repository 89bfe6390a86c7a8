import { z } from 'zod';
import type * as models from './generated/models.ts';
import type { Model } from './model.ts';
import { rule } from './rule.ts';
import { text } from './primitives.ts';
import { emptyBeside } from './value-rules.ts';

const addressFields = {
  street: text({ max: 255 }).describe('Excludes the house number.').optional(),
  houseNumber: text({ max: 20 }).describe('Extracted automatically from the street on the platform side.').optional(),
  additionalAddressInfo: text({ max: 255 }).describe('Apartment or suite information.').optional(),
  postOfficeBox: text({ max: 20 }).describe('If it is filled, street and houseNumber are empty.').optional(),
  zipCode: text({ max: 10 }).optional(),
  city: text({ max: 255 }).optional(),
  stateCode: text({ min: 4, max: 6 }).describe('ISO 3166-2. Not available in the payroll system.').optional(),
  country: text({ min: 2, max: 2 }).describe('ISO 3166-1 alpha-2.').optional(),
};

const AddressFields = z.strictObject(addressFields);

/** An address with a street (section 2.2). */
export const StreetAddress: Model<models.StreetAddress> = AddressFields.omit({ postOfficeBox: true }).meta({
  id: 'StreetAddress',
  section: '2.2',
  description: 'An address with a street.',
});
export type StreetAddress = models.StreetAddress;

/** An address with a post-office box (section 2.3). */
export const PostOfficeBox: Model<models.PostOfficeBox> = AddressFields.omit({ street: true, houseNumber: true }).meta({
  id: 'PostOfficeBox',
  section: '2.3',
  description: 'An address with a post-office box.',
});
export type PostOfficeBox = models.PostOfficeBox;

/**
 * Either a {@link StreetAddress} or a {@link PostOfficeBox}: if `postOfficeBox` is filled, `street` and `houseNumber`
 * are absent or `""` (section 2.3). It is one object with a rule instead of a union, so that an error points to the
 * field.
 *
 * @example
 * Address.parse({ street: 'Hauptstr.', houseNumber: '5a', zipCode: '10115', city: 'Berlin', country: 'DE' });
 */
export const Address: Model<models.Address> = AddressFields.check(
  rule(emptyBeside, 'postOfficeBox', 'street'),
  rule(emptyBeside, 'postOfficeBox', 'houseNumber'),
).meta({
  id: 'Address',
  section: '2.2',
  description: 'A StreetAddress or a PostOfficeBox: beside a filled postOfficeBox, street and houseNumber are empty.',
  if: { properties: { postOfficeBox: { minLength: 1 } }, required: ['postOfficeBox'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { properties: { street: { maxLength: 0 }, houseNumber: { maxLength: 0 } } },
});
export type Address = models.Address;
