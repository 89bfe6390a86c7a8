import { readFileSync } from 'node:fs';
import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

/** Whether a run includes all tests of the configuration, so that an interaction without a test is stale. */
export async function isWholeRun(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
  modules: readonly TestModule[],
): Promise<boolean> {
  const { project, cliExclude, tagsFilter, shard, mergeReports } = vitest.config;
  // The folder of the configuration contains all tests, a folder of the command line only some.
  if (cliOptionsOf(vitest).dir !== undefined) return false;
  // vitest 4 reports the specifications of all shards, and runs benchmarks alone.
  if (project.length > 0 || cliExclude?.length || tagsFilter?.length || shard || mergeReports) return false;
  if (vitest.getGlobalTestNamePattern() || vitest.config.mode === 'benchmark') return false;
  if (specifications.some(isNarrow) || modules.some(hasOnly)) return false;
  const ran = new Set(specifications.map(keyOf));
  return (await vitest.globTestSpecifications()).every((specification) => ran.has(keyOf(specification)));
}

/** vitest 4 keeps them elsewhere. */
function cliOptionsOf(vitest: Vitest): { readonly dir?: string } {
  const { config, _cliOptions: ofVersion4 = {} } = vitest as Vitest & { readonly _cliOptions?: { dir?: string } };
  return (config as Partial<typeof config>).cliOptions ?? ofVersion4;
}

function isNarrow({ testLines, testIds, testNames, testNamePattern, testTagsFilter }: TestSpecification): boolean {
  return Boolean(
    testLines?.length || testIds?.length || testNames?.length || testNamePattern || testTagsFilter?.length,
  );
}

/** Whether a file has `test.only`. vitest 5 knows it but does not export it; vitest 4 does not know it. */
function hasOnly(module: TestModule & { readonly task?: { readonly containsOnly?: boolean } }): boolean {
  return module.task?.containsOnly ?? /\.only\b|\bonly: true\b/.test(readFileSync(module.moduleId, 'utf8'));
}

function keyOf({ project, moduleId, pool }: TestSpecification): string {
  return JSON.stringify([project.name, moduleId, pool]);
}
