import type { BrokerSource } from './broker-source.ts';
import type { VerificationProxy } from './start-verification-proxy.ts';

/** Verifies the pacts of files, or of a broker, against the proxy, and gives what the verifier has said: JSON, mostly. */
export type Run = (task: {
  readonly proxy: VerificationProxy;
  readonly files: readonly string[];
  readonly broker: BrokerSource | undefined;
}) => Promise<string>;
