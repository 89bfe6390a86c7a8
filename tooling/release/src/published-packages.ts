import { getPackages } from '@manypkg/get-packages';

/** Every package of a workspace that users get from the registry, by the name of its folder. */
export async function publishedPackages(workspace: string) {
  const { packages } = await getPackages(workspace);
  return packages.filter(({ packageJson }) => !packageJson.private);
}
