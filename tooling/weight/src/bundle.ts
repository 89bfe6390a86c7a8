import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { optionalPeers } from './published-packages.ts';

/** What a build makes of a module and all that it imports. */
export interface Bundle {
  /** Minified, without what it imports later. */
  readonly code: string;
  readonly parts: readonly Part[];
}

/** A module of which something is left in a bundle, or one that it leaves to be loaded. */
interface Part {
  /** Such as `@hr/schemas/person`, `zod/v4/core/schemas` or `node:http`. */
  readonly name: string;
  /** What is left of it, before it is minified. */
  readonly bytes: number;
}

const entry = fileURLToPath(new URL('entry.js', import.meta.url));

/** Builds as a program for a browser is built, from what is published. Node's own modules and optional peers are left out. */
export async function bundle(source: string): Promise<Bundle> {
  await using build = await rolldown({
    input: entry,
    platform: 'browser',
    external: [/^node:/, ...optionalPeers.map((peer) => new RegExp(`^${peer}(/|$)`))],
    plugins: [
      {
        name: 'entry',
        resolveId: (id, _, { kind }) => (id === entry ? id : kind === 'dynamic-import' ? { id, external: true } : null),
        load: (id) => (id === entry ? source : null),
      },
    ],
    // Such as about a module that is not there.
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  const [{ code, modules, imports, dynamicImports }] = (await build.generate({ minify: true })).output;
  const parts = Object.entries(modules)
    // The bundler's own modules have ids that start with NUL.
    .filter(([id, { renderedLength }]) => id !== entry && !id.startsWith('\0') && renderedLength > 0)
    .map(([id, { renderedLength }]) => ({ name: moduleName(id), bytes: renderedLength }));
  // What the package itself imports later is not loaded with it.
  const others = [...imports, ...dynamicImports.filter((name) => !name.startsWith('.'))];
  return { code, parts: [...parts, ...others.map((name) => ({ name, bytes: 0 }))] };
}

/** The name of a module by its package: that of `packages/schemas/dist/person.js` is `@hr/schemas/person`. */
function moduleName(path: string): string {
  const [, dependency] = /.*\/node_modules\/(.+?)\.[cm]?js$/.exec(path) ?? [];
  if (dependency !== undefined) return dependency;
  const [, folder, name] = /.*\/packages\/(\w+)\/dist\/(.+)\.js$/.exec(path) ?? [];
  if (name === undefined) throw new Error(`${path} is not published. Import packages by their name.`);
  return `@hr/${folder}/${name}`;
}
