import { run } from './run.ts';

/**
 * The private registry of our packages, from `.npmrc`.
 *
 * @throws {Error} If there is none: our packages must never go to the public registry.
 */
export async function registryOfScope(cwd: string): Promise<string> {
  const url = (await run('pnpm', ['config', 'get', '@hr:registry'], { cwd })).trim();
  if (URL.canParse(url)) return url;
  throw new Error(
    "No registry is set for @hr. Name the private one: npm config set --location=user '@hr:registry=https://…'",
  );
}
