/** The pacts that a broker wants verified, and where results are published. */
export interface BrokerSource {
  readonly url: string;
  /** Bearer token of the broker. */
  readonly token?: string;
  /** The provider's branch: pacts of the consumers' branch of this name are verified, too. */
  readonly branch?: string;
  /** Publishes the results for this version of the provider. Give it in CI only. */
  readonly publish?: { readonly version: string };
}
