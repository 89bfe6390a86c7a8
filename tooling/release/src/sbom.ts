import { run } from './run.ts';

/** The licenses of what we publish and deploy. They allow that for every product, if their texts come along. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  // Of fonts.
  'OFL-1.1',
]);
const OWN = '@hr';

/** A package, as Vite lists what it bundled. */
export interface Bundled {
  readonly name: string;
  readonly version: string;
  /** Its license. */
  readonly identifier?: string;
}

interface Component {
  readonly purl: string;
  readonly group?: string;
  readonly licenses?: readonly ({ readonly license: { readonly id?: string; readonly name?: string } } | Expression)[];
  readonly externalReferences?: readonly { readonly type: string; readonly hashes?: readonly object[] }[];
}

interface Expression {
  readonly expression: string;
}

interface Sbom {
  readonly metadata: object;
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/**
 * What a package or an app consists of, in CycloneDX: what it needs to run, and what is bundled into it. It is the same
 * for the same commit, so it has no time and no serial number, and names no registry.
 *
 * @throws {Error} If a component has a license that is not allowed.
 */
export async function sbomOf(cwd: string, name: string, bundled: readonly Bundled[] = []): Promise<string> {
  const type = name.startsWith(`${OWN}/`) ? 'library' : 'application';
  const args = ['--filter', name, 'sbom', '--prod', '--sbom-format', 'cyclonedx', '--sbom-type', type];
  const sbom = JSON.parse(await run('pnpm', args, { cwd })) as Sbom;
  const installed = sbom.components.map((component) => {
    const { externalReferences = [], ...rest } = component;
    const hashes = externalReferences.flatMap((reference) => reference.hashes ?? []);
    const others = externalReferences.filter((reference) => reference.type !== 'distribution');
    return { ...rest, ...(hashes.length > 0 && { hashes }), externalReferences: others };
  });
  // What the pages contain, the backend may need too.
  const components = [...new Map([...bundled.map(componentOf), ...installed].map((one) => [one.purl, one])).values()];
  checkLicenses(name, components);
  const stable = {
    ...sbom,
    serialNumber: undefined,
    metadata: { ...sbom.metadata, timestamp: undefined },
    // pnpm lists them in any order.
    components: sortBy(components, ({ purl }) => purl),
    dependencies: sortBy(
      sbom.dependencies.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.toSorted() })),
      ({ ref }) => ref,
    ),
  };
  return `${JSON.stringify(stable, undefined, 2)}\n`;
}

function sortBy<T>(values: readonly T[], key: (value: T) => string): T[] {
  return values.toSorted((one, other) => (key(one) < key(other) ? -1 : 1));
}

function componentOf({ name: fullName, version, identifier: license }: Bundled) {
  const [name, group] = fullName.split('/').toReversed();
  const purl = `pkg:npm/${fullName.replace('@', '%40')}@${version}`;
  const licenses = license === undefined ? [] : [{ license: { id: license } }];
  return { type: 'library', name, ...(group !== undefined && { group }), version, purl, 'bom-ref': purl, licenses };
}

/** @throws {Error} That lists the components whose licenses are not allowed. */
export function checkLicenses(name: string, components: readonly Component[]): void {
  const faults = components
    .filter(({ group }) => group !== OWN)
    .flatMap(({ purl, licenses = [] }) => {
      const found = licenses.map((one) =>
        'expression' in one ? one.expression : (one.license.id ?? one.license.name),
      );
      const allowed = found.length > 0 && found.every((license) => ALLOWED.has(license ?? ''));
      return allowed ? [] : [`${purl} has ${found.length > 0 ? `the license ${found.join(', ')}` : 'no license'}`];
    });
  if (faults.length === 0) return;
  throw new Error(
    `${name} contains packages whose licenses are not allowed: ${faults.join('; ')}. Use other packages, ` +
      'or let the legal department decide, and add the license to ALLOWED in tooling/release/src/sbom.ts.',
  );
}
