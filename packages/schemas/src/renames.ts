/** Former field names and the present ones (section 9), by the model they apply to. */
export const renames = {
  StreetAddress: {
    streetNumber: 'houseNumber',
    addressLine2: 'additionalAddressInfo',
    postalCode: 'zipCode',
    regionCode: 'stateCode',
    countryCode: 'country',
  },
  PostOfficeBox: {
    addressLine2: 'additionalAddressInfo',
    postalCode: 'zipCode',
    regionCode: 'stateCode',
    countryCode: 'country',
  },
  TimeBookingPerson: { timeAccountDays: 'days' },
} as const;

/** The present name of a former field name, or `undefined` where it is none. */
export function currentName(former: string): string | undefined {
  for (const names of Object.values<Record<string, string>>(renames)) {
    if (Object.hasOwn(names, former)) return names[former];
  }
  return undefined;
}
