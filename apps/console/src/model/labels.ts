import { nameIn, type Label, type LabelKind, type Language } from '@hr/text/labels';

/** A change of an entry of the dictionary, from what the person saw. `null` means that there is none. */
export interface LabelChange {
  readonly before: Label | null;
  readonly after: Label | null;
}

/** The dictionary in a language. */
export interface Dictionary {
  readonly keysOf: (kind: LabelKind) => readonly string[];
  /** The name of a key. By default, a key without a name is its own name. */
  readonly nameOf: (kind: LabelKind, key: string, unnamed?: string) => string;
  /** Such as `Bonus 2400`. */
  readonly nameWithKey: (kind: LabelKind, key: string) => string;
  /** The colour of a key, for a mark: its contrast to the surfaces of the theme is 3:1 at least (WCAG 2.2, 1.4.11). */
  readonly colorOf: (kind: LabelKind, key: string) => string | undefined;
  /** The currency of all amounts of money, by ISO 4217. The API states none. */
  readonly currency: string | undefined;
}

export function dictionaryOf(labels: readonly Label[], language: Language): Dictionary {
  const byKey = new Map(labels.map((label) => [`${label.kind} ${label.key}`, label]));
  const find = (kind: LabelKind, key: string): Label | undefined => byKey.get(`${kind} ${key}`);
  const nameOf: Dictionary['nameOf'] = (kind, key, unnamed = key) =>
    nameIn(language, find(kind, key) ?? { en: '', de: '' }) || unnamed;
  return {
    keysOf: (kind) => labels.flatMap((label) => (label.kind === kind ? label.key : [])),
    nameOf,
    nameWithKey: (kind, key) => `${nameOf(kind, key, '')} ${key}`.trim(),
    colorOf: (kind, key) => {
      const color = find(kind, key)?.color;
      return color && `oklch(from ${color} clamp(var(--mark-min), l, var(--mark-max)) c h)`;
    },
    currency: labels.find(({ kind }) => kind === 'currency')?.key,
  };
}
