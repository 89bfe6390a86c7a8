import { run } from './run.ts';

/**
 * The private registry of our packages, as `.npmrc` names it to pnpm and npm.
 *
 * @throws {Error} When it names none to one of them: our packages must never go to the registry of everybody.
 */
export async function registryOfScope(workspace: string): Promise<string> {
  const args = ['config', 'get', '@hr:registry'];
  const [said = '', other] = await Promise.all(
    ['pnpm', 'npm'].map(async (manager) => (await run(manager, args, { cwd: workspace })).trim()),
  );
  if (URL.canParse(said) && said === other) return said;
  throw new Error(
    "No registry is set for @hr, or pnpm and npm have each their own. Name the private one: npm config set --location=user '@hr:registry=https://…'",
  );
}
