import { readFile } from 'node:fs/promises';
import { unpack } from '@publint/pack';

/** What a registry is given of a package. */
export interface Tarball {
  readonly manifest: Manifest;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
  /** Its CHANGELOG.md; empty where it has none. */
  readonly changelog: string;
  readonly packedBytes: number;
}

type Ranges = Readonly<Record<string, string>>;

/** The package.json of a tarball, as far as releases look at it. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
  readonly publishConfig?: { readonly access?: string };
  readonly dependencies?: Ranges;
  readonly peerDependencies?: Ranges;
}

export async function readTarball(path: string): Promise<Tarball> {
  const packed = await readFile(path);
  const { files, rootDir } = await unpack(packed);
  const named = files.map(({ name, data }) => ({ name: name.slice(rootDir.length + 1), data }));
  const textOf = (file: string): string => new TextDecoder().decode(named.find(({ name }) => name === file)?.data);
  const manifest = textOf('package.json');
  if (manifest === '') throw new Error(`${path} has no package.json.`);
  return {
    manifest: JSON.parse(manifest) as Manifest,
    changelog: textOf('CHANGELOG.md'),
    files: named.map(({ name, data }) => ({ name, bytes: data.byteLength })),
    packedBytes: packed.byteLength,
  };
}
