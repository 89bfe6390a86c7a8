import type { BrokerSource } from './broker-source.ts';
import type { VerificationProxy } from './start-verification-proxy.ts';

/** How long verifiers wait for an answer: longer than the proxy does, so that the proxy says what is late. */
export const VERIFIER_WAIT_MS = 120_000;

/** Verifies the pacts of files, or of a broker, against the proxy, and gives what the verifier has said: JSON, mostly. */
export type Run = (task: {
  readonly proxy: VerificationProxy;
  readonly files: readonly string[];
  readonly broker: BrokerSource | undefined;
}) => Promise<string>;
