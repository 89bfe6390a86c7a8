type Leaf =
  | (string | number | boolean | bigint | symbol | null | undefined)
  | (Date | URL | RegExp | AbortSignal | Request | Response | Uint8Array | { _zod: unknown });
type Less = [never, 0, 1, 2];
// The compiler compares what such functions depend on exactly, with `readonly`.
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters
type IsSame<One, Other> = (<G>() => G extends One ? 1 : 0) extends <G>() => G extends Other ? 1 : 0 ? true : false;
type Access<T> = IsSame<T, Readonly<T>> extends true ? never : ' (writable)';
type Paths<T, Depth extends number> = 0 extends 1 & T ? never : ' (not any)' | Members<T, Depth>;
type Members<T, Depth extends number> = [Depth] extends [never]
  ? never
  : T extends Leaf
    ? never
    : T extends Error
      ? In<T, Exclude<keyof T & (string | number), keyof Error>, Depth>
      : T extends (...input: infer Input) => infer Output
        ? Members<Required<Input>, Depth> | `()${Paths<Awaited<Output>, Less[Depth]>}`
        : T extends readonly unknown[]
          ? number extends T['length']
            ? `[]${Paths<T[number], Depth>}`
            : In<T, keyof T & `${number}`, Depth>
          : In<T, keyof T & (string | number), Depth>;
type In<T, Keys extends keyof T & (string | number), Depth extends number> = {
  [Key in Keys]-?: `.${Key}${'' | Access<Pick<T, Key>> | Paths<Exclude<T[Key], undefined>, Less[Depth]>}`;
}[Keys];

/**
 * What a type has no longer, such as `.persons.list.1`, `.persons (writable)` or `.persons (not any)`: the compiler takes
 * a value with an unknown member, unless a literal makes it, and compares neither `readonly` nor `any`.
 */
export type Removed<Before, Now> = Exclude<Paths<Before, 3>, Paths<Now, 3>>;
