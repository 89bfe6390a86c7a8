/** A text in English and German, or what makes one of values. */
type Pair = readonly [en: Text, de: Text];
type Text = string | ((...values: never[]) => string);

interface Pairs {
  readonly [name: string]: Pair | Pairs;
}

/** The names in the braces of a text. */
type NamesOf<T> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | NamesOf<Rest> : never;

/** A value for each pair of braces. */
type ValuesOf<T> = T extends `${string}{${string}}${infer Rest}` ? [value: string | number, ...ValuesOf<Rest>] : [];

/** A text, or a function of the values whose names are in its braces, in their order in English. */
type Filled<T> = T extends string ? (ValuesOf<T> extends [] ? string : (...values: ValuesOf<T>) => string) : T;

type TextsOf<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly [infer English, unknown] ? Filled<English> : TextsOf<T[Name]>;
};

/** Both languages take the same values. */
type Alike<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly [infer English, infer German]
    ? readonly [English, English extends string ? AlikeText<English, German> : English]
    : Alike<T[Name]>;
};

type AlikeText<English, German> = [NamesOf<English>, NamesOf<German>] extends [NamesOf<German>, NamesOf<English>]
  ? German
  : never;

/** The texts of a screen in both languages. */
export interface Messages<T> {
  readonly en: T;
  readonly de: T;
}

/**
 * Takes texts side by side, English first, and returns those of each language. `{name}` in a text stands for a value:
 * then it is a function.
 */
export function inBoth<const T extends Pairs>(pairs: T & Alike<T>): Messages<TextsOf<T>> {
  return { en: textsOf(pairs, 0), de: textsOf(pairs, 1) } as Messages<TextsOf<T>>;
}

function textsOf(pairs: Pairs, place: 0 | 1): unknown {
  const texts = Object.entries(pairs).map(([name, value]) => [
    name,
    isPair(value) ? filled(value, place) : textsOf(value, place),
  ]);
  return Object.fromEntries(texts);
}

function filled(pair: Pair, place: 0 | 1): unknown {
  const [english] = pair;
  const text = pair[place];
  if (typeof english !== 'string' || typeof text !== 'string' || !english.includes('{')) return text;
  const names = Array.from(english.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  return (...values: readonly (string | number)[]) =>
    text.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[names.indexOf(name)]));
}

function isPair(value: Pair | Pairs): value is Pair {
  return Array.isArray(value);
}
