import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { init, parse } from 'es-module-lexer';
import { publishedPackages } from 'tooling-release/published-packages';
import { readApi } from './api.ts';
import type { Api } from './api.ts';
import { extract } from './extract.ts';
import { modelLines } from './model-lines.ts';

/** What users can rely on of a package, as it was built. */
export interface ApiReport {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly text: string;
  /** What must not stay so, in sentences. */
  readonly faults: readonly string[];
}

type Exports = Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;

const INTRODUCTION = `Everything that users can import. Each namespace lists the exports of an entry point. \`pnpm api:report\` generates this
file from the build; see docs/releasing.md.`;
const TAGS = /^ *\/\/((?: \S+)+)\n/gm;
const NOT_SHOWN = new Set(['@public', '(undocumented)']);

/**
 * The reports of the published packages of a workspace.
 *
 * @throws {Error} When one was not built.
 */
export async function apiReports(workspace: string): Promise<ApiReport[]> {
  await init;
  const packages = (await publishedPackages(workspace)).map(({ folder, manifest }) => {
    const { name, exports = {} } = manifest as typeof manifest & { readonly exports?: Exports };
    const entryPoints = Object.entries(exports).map(([subpath, file]) => {
      const specifier = `${name}${subpath.slice(1)}`;
      if (!file.types || !file.default)
        throw new Error(`The entry point ${specifier} must name "types" and "default".`);
      // `hr_client_mirror` is `@hr/client/mirror`.
      const namespace = specifier.replace('@', '').replaceAll(/\W/g, '_');
      return { namespace, types: join(folder, file.types), module: join(folder, file.default) };
    });
    return { ...manifest, folder, entryPoints };
  });
  const codes = extract(packages);
  return Promise.all(
    packages.map(async ({ name, version, folder, entryPoints }, index) => {
      const raw = codes[index] ?? '';
      const modules = await Promise.all(
        entryPoints.map(async ({ namespace, module }) => {
          const [, found] = parse(await readFile(module, 'utf8'), module);
          return [namespace, new Set(found.map(({ n }) => n))] as const;
        }),
      );
      const code = withTypeOnly(raw, new Map(modules)).replaceAll(TAGS, (line, tags: string) =>
        tags.split(' ').every((tag) => tag === '' || NOT_SHOWN.has(tag)) ? '' : line.replace(' @public', ''),
      );
      const paths = code.includes('Zod') ? entryPoints.map(({ module }) => pathToFileURL(module).href) : [];
      const models = modelLines(await Promise.all(paths.map((path) => import(path) as Promise<object>)));
      const parts = [`# The API of ${name}`, INTRODUCTION, `\`\`\`ts\n${code}\n\`\`\``];
      if (models.length > 0) parts.push('Values that its models accept:', `\`\`\`text\n${models.join('\n')}\n\`\`\``);
      return { name, version, folder, text: `${parts.join('\n\n')}\n`, faults: faultsOf(name, readApi(raw)) };
    }),
  );
}

/** The code in a report. */
export function apiIn(report: string): Api {
  return readApi(/^```ts\n(.*?)^```$/ms.exec(report)?.[1] ?? '');
}

/** The values that models accept, by field, in a report. */
export function modelsIn(report: string): Map<string, string> {
  const [, lines = ''] = /^```text\n(.*?)^```$/ms.exec(report) ?? [];
  return new Map(Array.from(lines.matchAll(/^(.+?): (.+)$/gm), ([, field = '', accepted = '']) => [field, accepted]));
}

/** API Extractor does not tell that only the type of a class or constant is exported; the module does. */
function withTypeOnly(code: string, values: ReadonlyMap<string, ReadonlySet<string | undefined>>): string {
  return code
    .replaceAll(/(?<=^declare namespace ([\w$]+) \{\n {4}export \{\n).*?(?=^ {4}\})/gms, (block, namespace: string) => {
      const entries = block.split(',').map((entry) => entry.trim());
      const isValue = (entry: string): boolean => values.get(namespace)?.has(entry.split(' ').at(-1)) !== false;
      return `        ${entries
        .toSorted()
        .map((entry) => (isValue(entry) ? entry : `type ${entry}`))
        .join(',\n        ')}\n`;
    })
    .replaceAll(/^export \{ [\w$]+ \}\n*|^\/\/ \(No @packageDocumentation.*$/gm, '')
    .trim();
}

function faultsOf(name: string, { entities, exports }: Api): string[] {
  const exported = new Set(exports.map(({ local }) => local));
  return Array.from(entities).flatMap(([local, { text, kinds, typeParameters }]) => {
    if (exported.has(local)) {
      const isDocumented = text.split('\n').some((line) => line.startsWith('// @') && !line.endsWith('(undocumented)'));
      return isDocumented ? [] : [`${name} exports ${local} without a comment. Say what a caller can rely on.`];
    }
    // Users may want to hold a value of it. A type with parameters is a shorthand.
    const isNeeded =
      kinds.has('ClassDeclaration') ||
      kinds.has('TSInterfaceDeclaration') ||
      (kinds.has('TSTypeAliasDeclaration') && typeParameters.length === 0);
    return isNeeded ? [`${name} uses the type ${local} in an export, but does not export it. Export it.`] : [];
  });
}
