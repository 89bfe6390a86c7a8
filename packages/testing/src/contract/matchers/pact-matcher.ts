/** A rule of Pact in its integration JSON, with the value that a mock server answers. */
export interface PactMatcher {
  readonly 'pact:matcher:type': 'type' | 'number' | 'integer' | 'equality' | 'null' | 'values' | readonly PactRule[];
  readonly value: unknown;
  readonly min?: number;
}

type PactRule = { readonly 'pact:matcher:type': 'type' } | { readonly 'pact:matcher:type': 'regex'; regex: string };

/** A value of the same type. Of an array, every element is like the one it has, and there are at least `min`. */
export function sameType(value: unknown, min?: number): PactMatcher {
  return { 'pact:matcher:type': 'type', value, ...(min !== undefined && { min }) };
}

/** A string that a pattern describes. The pattern alone would also take a number or an object whose JSON looks like that. */
export function textLike(value: string, regex: string): PactMatcher {
  return {
    'pact:matcher:type': [{ 'pact:matcher:type': 'type' }, { 'pact:matcher:type': 'regex', regex }],
    value,
  };
}
