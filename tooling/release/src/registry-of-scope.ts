import { run } from './run.ts';

/**
 * The private registry of our packages, as `.npmrc` names it.
 *
 * @throws {Error} When it names none: our packages must never go to the registry of everybody.
 */
export async function registryOfScope(workspace: string): Promise<string> {
  const said = (await run('pnpm', ['config', 'get', '@hr:registry'], { cwd: workspace })).trim();
  if (URL.canParse(said)) return said;
  throw new Error('No registry is set for @hr. Name the private one: pnpm config set @hr:registry https://…');
}
