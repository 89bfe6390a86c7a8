// The process that run-interactions.ts starts: it sends what Pact reports of each verification, until its parent exits.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import type PactCore from '@pact-foundation/pact-core';
import type { VerifierOptions } from '@pact-foundation/pact-core';

// Pact's core loads all certificates that it finds for each interaction, and fails if there is none. The hundreds of a
// machine take 20 ms, and the core does not use TLS here.
const folder = mkdtempSync(join(tmpdir(), 'hr-pact-'));
const file = join(folder, 'certificate.pem');
writeFileSync(file, rootCertificates[0] ?? '');
Object.assign(process.env, { SSL_CERT_FILE: file, SSL_CERT_DIR: folder });
process.once('exit', () => rmSync(folder, { recursive: true }));

process.on('message', ({ pactCore, options }: { readonly pactCore: string; readonly options: VerifierOptions }) => {
  const verified = import(pactCore).then(({ default: core }: { default: typeof PactCore }) =>
    core.default.verifyPacts(options),
  );
  // The message of a failed verification is its results.
  void verified.catch(({ message }: Error) => message).then((output) => process.send?.(output));
});
