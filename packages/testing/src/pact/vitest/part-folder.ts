import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractPart } from '../contract-part.ts';

/** A folder of its own where the tests of a run leave the parts of contracts. */
export class PartFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'hr-contracts-'));

  read(): ContractPart[] {
    return readdirSync(this.path).map(
      (name) => JSON.parse(readFileSync(join(this.path, name), 'utf8')) as ContractPart,
    );
  }

  /** Pact always adds to what is there, so each run begins with nothing. */
  clear(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
