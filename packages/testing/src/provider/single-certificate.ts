import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

/**
 * Lets Pact's core find a single certificate in this process. The core loads all certificates that it finds for each
 * interaction, and fails if there is none. The hundreds of a machine take 20 ms, and the core does not use TLS here.
 */
export function useSingleCertificate(): void {
  const folder = mkdtempSync(join(tmpdir(), 'hr-pact-'));
  const file = join(folder, 'certificate.pem');
  writeFileSync(file, rootCertificates[0] ?? '');
  Object.assign(process.env, { SSL_CERT_FILE: file, SSL_CERT_DIR: folder });
  process.once('exit', () => rmSync(folder, { recursive: true }));
}
