import { nameIn, type Label, type LabelKind, type Language } from '@hr/text/labels';

/** A change of an entry of the dictionary, from what the person saw. `null` means that there is none. */
export interface LabelChange {
  readonly before: Label | null;
  readonly after: Label | null;
}

/** The dictionary in a language. */
export type Dictionary = ReturnType<typeof dictionaryOf>;

export function dictionaryOf(labels: readonly Label[], language: Language) {
  const byKey = new Map(labels.map((label) => [`${label.kind} ${label.key}`, label]));
  const find = (kind: LabelKind, key: string): Label | undefined => byKey.get(`${kind} ${key}`);
  /** The name of a key. By default, a key without a name is its own name. */
  const nameOf = (kind: LabelKind, key: string, unnamed = key): string =>
    nameIn(language, find(kind, key) ?? { en: '', de: '' }) || unnamed;
  return {
    keysOf: (kind: LabelKind) => labels.flatMap((label) => (label.kind === kind ? label.key : [])),
    nameOf,
    /** Such as `Bonus 2400`. */
    nameWithKey: (kind: LabelKind, key: string) => `${nameOf(kind, key, '')} ${key}`.trim(),
    /** The colour of a key, for a mark: its contrast to the surfaces of the theme is 3:1 at least (WCAG 2.2, 1.4.11). */
    colorOf: (kind: LabelKind, key: string) => {
      const color = find(kind, key)?.color;
      return color && `oklch(from ${color} clamp(var(--mark-min), l, var(--mark-max)) c h)`;
    },
    /** The currency of all amounts of money, by ISO 4217. The API states none. */
    currency: labels.find(({ kind }) => kind === 'currency')?.key,
  };
}
