import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PackedPackage } from '../packed-release.ts';
import { ensureEqual } from './ensure.ts';
import type { PrivateRegistry } from './private-registry.ts';

interface Metadata {
  readonly 'dist-tags': Readonly<Record<string, string>>;
  readonly versions: Readonly<
    Record<string, { readonly dist: { readonly integrity: string; readonly tarball: string } }>
  >;
}

/** What the registry tells a reader of a package. */
export async function metadataOf({ url, tokens }: PrivateRegistry, name: string): Promise<Metadata> {
  const answer = await fetch(`${url}${name}`, { headers: bearer(tokens.reader) });
  ensureEqual(`The answer to a reader of ${name}`, answer.status, 200);
  return (await answer.json()) as Metadata;
}

/** Checks that readers get the very tarball that was checked, and that nobody else gets or gives anything. */
export async function checkAccess(registry: PrivateRegistry, { name, version, path }: PackedPackage): Promise<void> {
  const { versions } = await metadataOf(registry, name);
  const { integrity, tarball = '' } = versions[version]?.dist ?? {};
  const packed = createHash('sha512').update(await readFile(path));
  ensureEqual(`The integrity of ${name}@${version}`, integrity, `sha512-${packed.digest('base64')}`);

  const upload = { method: 'PUT', body: JSON.stringify({ name }) };
  const json = { 'content-type': 'application/json' };
  const address = `${registry.url}${encodeURIComponent(name)}`;
  ensureEqual(`The answer to anybody who asks for ${name}`, await statusOf(address), 401);
  ensureEqual(`The answer to anybody who asks for the tarball of ${name}`, await statusOf(tarball), 401);
  ensureEqual(
    `The answer to anybody who publishes ${name}`,
    await statusOf(address, { ...upload, headers: json }),
    401,
  );
  const asReader = { ...upload, headers: { ...json, ...bearer(registry.tokens.reader) } };
  ensureEqual(`The answer to a reader who publishes ${name}`, await statusOf(address, asReader), 403);
}

async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  const answer = await fetch(url, init);
  await answer.body?.cancel();
  return answer.status;
}

function bearer(token: string): { authorization: string } {
  return { authorization: `Bearer ${token}` };
}
