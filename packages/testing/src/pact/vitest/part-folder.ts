import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContractPart, MadeInteraction } from '../contract-part.ts';

/** A folder of its own where the tests of a run leave the parts of contracts. */
export class PartFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'hr-contracts-'));

  parts(): ContractPart[] {
    return this.#read<ContractPart>('.part.json');
  }

  /** All interactions, whether they were run or not. */
  made(): MadeInteraction[] {
    return this.#read<MadeInteraction>('.made.json');
  }

  #read<Content>(end: string): Content[] {
    const names = readdirSync(this.path).filter((name) => name.endsWith(end));
    return names.map((name) => JSON.parse(readFileSync(join(this.path, name), 'utf8')) as Content);
  }

  /** Pact always adds to what is there, so each run begins with nothing. */
  clear(): void {
    for (const name of readdirSync(this.path)) rmSync(join(this.path, name));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}
