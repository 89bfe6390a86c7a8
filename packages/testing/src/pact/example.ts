/**
 * A part of a value: the keys that a consumer uses, and no others. Of an array, at most one element says what every
 * element is like; `[]` says that it is empty.
 */
export type Example<Value> = Value extends string
  ? Value
  : Value extends readonly (infer Element)[]
    ? readonly [] | readonly [Example<Element>]
    : Value extends object
      ? { readonly [Key in keyof Value]?: Example<Value[Key]> }
      : Value;
