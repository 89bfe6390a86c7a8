/** What has labels. The specification names each of them. */
export const labelKinds = [
  'bookingKey',
  'compensationComponent',
  'group',
  'personGroup',
  'legalEntity',
  'exitReason',
  'currency',
] as const;
export type LabelKind = (typeof labelKinds)[number];

/** The languages of labels. */
export type Language = 'en' | 'de';

/** What people call a key of the HR Cloud. A missing text is empty. */
export interface Label extends Readonly<Record<Language, string>> {
  readonly kind: LabelKind;
  /** Of the kind `currency`, its code by ISO 4217: all amounts are in it. */
  readonly key: string;
  /** Such as `#3b6fb5`, in lower case. */
  readonly color: string;
}

/** The name in a language, or else in the other one. */
export function nameIn(language: Language, { en, de }: Pick<Label, Language>): string {
  return language === 'de' ? de || en : en || de;
}
