import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { junitReport } from './junit-report.ts';
import { textReport } from './text-report.ts';
import type { VerificationResult } from './verification-result.ts';

/** Writes the result in three forms into a folder, which is made where there is none. */
export async function writeReports(dir: string, result: VerificationResult): Promise<void> {
  await mkdir(dir, { recursive: true });
  await Promise.all([
    writeFile(join(dir, 'contracts.txt'), textReport(result)),
    writeFile(join(dir, 'contracts.xml'), junitReport(result)),
    writeFile(join(dir, 'contracts.json'), `${JSON.stringify(result, undefined, 2)}\n`),
  ]);
}
