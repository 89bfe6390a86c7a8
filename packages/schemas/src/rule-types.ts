// What the rules of `value-rules.ts` over several fields add to the type of these. Some parameters are there only because
// the compiler shows them in its messages: "not assignable to type 'EmptyBeside<"street" | "houseNumber">'".

/** The rule `emptyBeside`: beside a filled `Field`, each of `Others` is empty. */
export type OneFilled<Field extends string, Others extends string> =
  | (Texts<Others> & { [Name in Field]?: EmptyBeside<Others> })
  | (Texts<Field> & { [Name in Others]?: EmptyBeside<Field> });

type Texts<Names extends string> = { [Name in Names]?: string | undefined };

type EmptyBeside<Filled> = '' | undefined | Extract<undefined, Filled>;

/** The rule `atLeastOne`: one of `Names` has a value. */
export type AtLeastOne<Names extends string> = { [Name in Names]: AtLeastOneOf<Names, Name> }[Names];

type AtLeastOneOf<Names extends string, Name extends Names> = { [Each in Name]: string | number | boolean | object };
