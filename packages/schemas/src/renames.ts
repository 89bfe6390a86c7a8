import type { Address, PostOfficeBox, StreetAddress } from './address.ts';
import type { TimeBookingPerson } from './time-booking.ts';

const ofEveryAddress = {
  addressLine2: 'additionalAddressInfo',
  postalCode: 'zipCode',
  regionCode: 'stateCode',
  countryCode: 'country',
} as const;

const ofStreetAddress = { streetNumber: 'houseNumber', ...ofEveryAddress } as const;

/** Former field names and the current ones (section 9), by the model that they apply to. */
export const renames = {
  Address: ofStreetAddress,
  StreetAddress: ofStreetAddress,
  PostOfficeBox: ofEveryAddress,
  TimeBookingPerson: { timeAccountDays: 'days' },
} as const;

/** The models that have former names. */
export interface Renamed {
  Address: Address;
  StreetAddress: StreetAddress;
  PostOfficeBox: PostOfficeBox;
  TimeBookingPerson: TimeBookingPerson;
}

/** Former name → current name. */
export type Names = Readonly<Record<string, string>>;

type NamesOf<T> = {
  [Model in keyof typeof renames]: keyof Renamed[Model] extends keyof T ? (typeof renames)[Model] : never;
}[keyof typeof renames];

type FormerOf<Table, Name> =
  Table extends Readonly<Record<string, string>>
    ? { [Former in keyof Table]: Name extends Table[Former] ? Former : never }[keyof Table]
    : never;

type FormerName<T, Name> = [FormerOf<NamesOf<T>, Name>] extends [never] ? Name : FormerOf<NamesOf<T>, Name>;

/**
 * A type with the former field names, as `downgrade` returns it.
 *
 * @example
 * const old: Downgraded<Person> = { id: '1', address: { postalCode: '10115' } };
 */
export type Downgraded<T> = T extends readonly (infer Element)[]
  ? Downgraded<Element>[]
  : T extends object
    ? { [Key in keyof T as FormerName<T, Key> & PropertyKey]: Downgraded<T[Key]> }
    : T;

/** The current name of a former field name; `undefined` for any other name. */
export function currentName(former: string): string | undefined {
  return Object.values<Names>(renames).find((names) => Object.hasOwn(names, former))?.[former];
}
