/** An interaction in a pact file. */
export interface PactInteraction {
  readonly description: string;
  readonly providerStates?: readonly { readonly name: string; readonly params?: object }[];
  readonly [key: string]: unknown;
}
