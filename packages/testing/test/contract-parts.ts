import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'rolldown';
import type { TestProject } from 'vitest/node';
import type { ContractFolders } from '../src/pact/interaction-records.ts';
import { kitFolder } from './vitest-project.ts';

/** Lets tests of this package run interactions without writing contracts, and bundles the kit for the runs of vitest in them. */
export async function setup({ config, provide }: TestProject): Promise<() => void> {
  const source = join(import.meta.dirname, '../src/pact');
  await build({
    input: { pact: join(source, 'index.ts'), vitest: join(source, 'vitest/index.ts') },
    platform: 'node',
    resolve: { conditionNames: ['@hr/source', 'node', 'import'] },
    external: [/^vitest/, /^@pact-foundation/],
    output: { dir: kitFolder },
  });
  // The folders of tests are beside the records.
  const parent = mkdtempSync(join(tmpdir(), 'hr-contracts-'));
  const folders: ContractFolders = { records: join(parent, 'records'), root: config.root };
  mkdirSync(folders.records);
  provide('hr-contracts', folders);
  return () => rmSync(parent, { recursive: true });
}
