import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

type Ranges = Readonly<Record<string, string>>;

/** The fields of a package.json that a release depends on. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

/** A package of a workspace that users get from the registry. */
export interface PublishedPackage {
  readonly folder: string;
  readonly manifest: Manifest;
}

/** Every package of a workspace that is not private, by name. */
export async function publishedPackages(workspace: string): Promise<PublishedPackage[]> {
  const all = await Promise.all(
    globSync('*/*/package.json', { cwd: workspace })
      .toSorted()
      .map(async (path) => {
        const manifest = JSON.parse(await readFile(join(workspace, path), 'utf8')) as Manifest;
        return { folder: join(workspace, dirname(path)), manifest };
      }),
  );
  return all.filter(({ manifest }) => !manifest.private);
}
