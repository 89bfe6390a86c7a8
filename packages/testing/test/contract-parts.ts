import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import type { ContractFolders } from '../src/pact/interaction-records.ts';

/** Lets tests of this package run interactions without writing contracts. */
export function setup({ config, provide }: TestProject): () => void {
  const records = mkdtempSync(join(tmpdir(), 'hr-contracts-'));
  const folders: ContractFolders = { records, root: config.root };
  provide('hr-contracts', folders);
  return () => rmSync(records, { recursive: true });
}
