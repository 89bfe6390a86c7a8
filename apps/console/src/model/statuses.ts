/** The account statuses of persons in both languages. */
export const statuses: Readonly<Record<'en' | 'de', Readonly<Record<string, string>>>> = {
  en: { ACTIVE: 'Active', INACTIVE: 'Inactive' },
  de: { ACTIVE: 'Aktiv', INACTIVE: 'Inaktiv' },
};
