import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { publishedPackages } from 'tooling-release/published-packages';
import { parse } from 'yaml';
import { isSealed, readApi, type Api, type Entity } from './api.ts';
import { extract } from './extract.ts';
import { modelLines, requirementLines, type Installed, type Ranges } from './terms.ts';

/** What users can rely on of a package, as it was built. */
export interface ApiReport {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  readonly text: string;
  /** What must not stay so, in sentences. */
  readonly faults: readonly string[];
}

interface PackageJson extends Installed {
  readonly exports?: Readonly<Record<string, { readonly types?: string; readonly default?: string }>>;
}

const INTRODUCTION = `Everything that users can import. Each namespace lists the exports of an entry point. \`pnpm api:report\` generates this
file from the build; see docs/releasing.md.`;

/**
 * The reports of the published packages of a workspace.
 *
 * @throws {Error} When one was not built.
 */
export async function apiReports(workspace: string): Promise<ApiReport[]> {
  const { catalog } = parse(await readFile(join(workspace, 'pnpm-workspace.yaml'), 'utf8')) as { catalog: Ranges };
  const packages = (await publishedPackages(workspace)).map(({ dir: folder, packageJson }) => {
    const { exports = {}, ...installed } = packageJson as typeof packageJson & PackageJson;
    const entryPoints = Object.entries(exports).map(([subpath, file]) => {
      const specifier = `${packageJson.name}${subpath.slice(1)}`;
      if (!file.types || !file.default)
        throw new Error(`The entry point ${specifier} must name "types" and "default".`);
      return { namespace: namespaceOf(specifier), types: join(folder, file.types), module: join(folder, file.default) };
    });
    return { ...installed, folder, entryPoints };
  });
  const codes = extract(packages);
  return Promise.all(
    packages.map(async ({ name, version, folder, entryPoints, ...installed }, index) => {
      const raw = codes[index] ?? '';
      const values = entryPoints.map(async ({ namespace, module }) => [namespace, await valuesOf(module)] as const);
      const code = withTypeOnly(raw, new Map(await Promise.all(values)))
        .replaceAll(/^export \{ [\w$]+ \}\n*|^\/\/ \(No @packageDocumentation.*$/gm, '')
        .replaceAll(/(?<=^ *\/\/.*) (?:@public|\(undocumented\))/gm, '')
        .replaceAll(/^ *\/\/\n/gm, '');
      const paths = code.includes('Zod') ? entryPoints.map(({ module }) => pathToFileURL(module).href) : [];
      const models = modelLines(await Promise.all(paths.map((path) => import(path) as Promise<object>)));
      const lines = [...requirementLines(installed, catalog, code), ...models].join('\n');
      const parts = [
        `# The API of ${name}`,
        INTRODUCTION,
        `\`\`\`ts\n${code.trim()}\n\`\`\``,
        'What it requires, and the values that its models accept:',
        `\`\`\`text\n${lines}\n\`\`\`\n`,
      ];
      return { name, version, folder, text: parts.join('\n\n'), faults: faultsOf(name, readApi(raw)) };
    }),
  );
}

/** `hr_client_mirror` of `@hr/client/mirror`. */
export function namespaceOf(specifier: string): string {
  return specifier.replace('@', '').replaceAll(/\W/g, '_');
}

async function valuesOf(module: string): Promise<Set<string | null>> {
  const { staticExports } = parseSync(module, await readFile(module, 'utf8')).module;
  return new Set(staticExports.flatMap(({ entries }) => entries.map((one) => one.exportName.name)));
}

/** API Extractor does not tell that only the type of a class or constant is exported; the module does. */
function withTypeOnly(code: string, values: ReadonlyMap<string, ReadonlySet<string | null>>): string {
  const namespaces = /(?<=^declare namespace (\w+) \{\n {4}export \{\n)[^}]*?(?=\n {4}\})/gm;
  return code.replaceAll(namespaces, (names, namespace: string) => {
    const entries = names.split(',').map((entry) => entry.trim());
    const isType = (entry: string): boolean => values.get(namespace)?.has(entry.split(' ').at(-1) ?? '') === false;
    const sorted = entries.toSorted().map((entry) => `        ${isType(entry) ? 'type ' : ''}${entry}`);
    return sorted.join(',\n');
  });
}

const REFUSES = 'does not accept undefined under exactOptionalPropertyTypes. Add "| undefined" to its type.';

function withoutUndefined(nodes: Entity['nodes'], code: string): string[] {
  const found: string[] = [];
  const visitor = new Visitor({
    TSPropertySignature({ optional, key, typeAnnotation }) {
      const type = typeAnnotation && code.slice(typeAnnotation.start, typeAnnotation.end);
      if (optional && type && !/\b(?:undefined|unknown)$/.test(type)) found.push(code.slice(key.start, key.end));
    },
  });
  for (const node of nodes) {
    if (node.type !== 'TSInterfaceDeclaration' && node.type !== 'TSTypeAliasDeclaration') continue;
    visitor.visit({
      type: 'Program',
      sourceType: 'module',
      hashbang: null,

      body: [node],
      start: node.start,
      end: node.end,
    });
  }
  return found;
}

function faultsOf(name: string, { code, entities, exports }: Api): string[] {
  const exported = new Set(exports.map(({ local }) => local));
  return Array.from(entities).flatMap(([local, entity]) => {
    const { text, nodes } = entity;
    if (exported.has(local)) {
      const isDocumented = /^\/\/ @.*(?<!\(undocumented\))$/m.test(text);
      const undocumented = `${name} exports ${local} without a comment. Say what a caller can rely on.`;
      const options = isSealed(entity) ? [] : withoutUndefined(nodes, code);
      const refusing = options.map((option) => `${name}: ${local} has the option ${option}, which ${REFUSES}`);
      return isDocumented ? refusing : [undocumented, ...refusing];
    }
    // Users may want to hold a value of it. An alias with parameters is a shorthand.
    const isNeeded = nodes.some(
      (node) =>
        node.type === 'ClassDeclaration' ||
        node.type === 'TSInterfaceDeclaration' ||
        (node.type === 'TSTypeAliasDeclaration' && !node.typeParameters),
    );
    return isNeeded ? [`${name} uses the type ${local} in an export, but does not export it. Export it.`] : [];
  });
}
