import type { TestModule, TestSpecification, Vitest } from 'vitest/node';

/** Whether a run had all tests there are, so that an interaction which none of them made is stale. */
export async function isWholeRun(
  vitest: Vitest,
  specifications: readonly TestSpecification[],
  modules: readonly TestModule[],
): Promise<boolean> {
  const { project, cliOptions, cliExclude, tagsFilter, mergeReports } = vitest.config;
  // A folder in the configuration has all tests there are, one in the command line some of them.
  if (cliOptions.dir !== undefined) return false;
  if (project.length > 0 || cliExclude?.length || tagsFilter?.length || mergeReports) return false;
  if (vitest.getGlobalTestNamePattern()) return false;
  if (specifications.some(isNarrow) || modules.some(hasOnly)) return false;
  const ran = new Set(specifications.map(keyOf));
  return (await vitest.globTestSpecifications()).every((specification) => ran.has(keyOf(specification)));
}

function isNarrow({ testLines, testIds, testNames, testNamePattern, testTagsFilter }: TestSpecification): boolean {
  return Boolean(
    testLines?.length || testIds?.length || testNames?.length || testNamePattern || testTagsFilter?.length,
  );
}

/** Vitest tells nobody but itself that a file has `test.only`. */
function hasOnly(module: TestModule & { readonly task?: { readonly containsOnly?: boolean } }): boolean {
  return module.task?.containsOnly === true;
}

function keyOf({ project, moduleId, pool }: TestSpecification): string {
  return JSON.stringify([project.name, moduleId, pool]);
}
