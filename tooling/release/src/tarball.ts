import { readFile } from 'node:fs/promises';
import { unpack } from '@publint/pack';

/** What a registry is given of a package. */
export interface Tarball {
  readonly manifest: Manifest;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
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
  const manifest = named.find(({ name }) => name === 'package.json');
  if (!manifest) throw new Error(`${path} has no package.json.`);
  return {
    manifest: JSON.parse(new TextDecoder().decode(manifest.data)) as Manifest,
    files: named.map(({ name, data }) => ({ name, bytes: data.byteLength })),
    packedBytes: packed.byteLength,
  };
}
