import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PackedPackage } from '../packed-release.ts';
import { ensureEqual } from './ensure-equal.ts';
import type { PrivateRegistry } from './private-registry.ts';

interface Metadata {
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<
    Record<string, { readonly dist: { readonly integrity: string; readonly tarball: string } }>
  >;
}

/** What the registry tells a reader about a package. */
export async function metadataOf({ url, tokens }: PrivateRegistry, name: string): Promise<Metadata> {
  const response = await fetch(`${url}${name}`, { headers: { authorization: `Bearer ${tokens.reader}` } });
  ensureEqual(`The response to a reader of ${name}`, response.status, 200);
  return (await response.json()) as Metadata;
}

/** Checks that readers get the tarball that was checked, and that others can neither read nor publish. */
export async function checkAccess(registry: PrivateRegistry, { name, version, path }: PackedPackage): Promise<void> {
  const { versions } = await metadataOf(registry, name);
  const { integrity, tarball = '' } = versions[version]?.dist ?? {};
  const packed = createHash('sha512').update(await readFile(path));
  ensureEqual(`The integrity of ${name}@${version}`, integrity, `sha512-${packed.digest('base64')}`);

  const address = `${registry.url}${encodeURIComponent(name)}`;
  const json = { 'content-type': 'application/json' };
  const upload = { method: 'PUT', headers: json, body: JSON.stringify({ name }) };
  const asReader = { ...upload, headers: { ...json, authorization: `Bearer ${registry.tokens.reader}` } };
  const responses = [fetch(address), fetch(tarball), fetch(address, upload), fetch(address, asReader)];
  const statuses = (await Promise.all(responses)).map(({ status }) => status);
  ensureEqual(
    `The responses to anonymous requests for ${name} and its tarball, to an anonymous upload, and to one of a reader`,
    statuses,
    [401, 401, 401, 403],
  );
}
