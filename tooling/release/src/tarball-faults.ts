import { isSnapshot } from './is-snapshot.ts';
import type { Tarball } from './tarball.ts';

const PUBLISHED = /^(package\.json|(README|CHANGELOG)\.md|docs\/[\w-]+\.md|bin\/[\w-]+\.js|dist\/.+\.(js|d\.ts))$/;
const TEST = /(^|\/)(test|tests|pacts|reports)\/|[.-](test|spec)\./;
/** The README links to both others. */
const REQUIRED = ['README.md', 'CHANGELOG.md', 'docs/using-the-packages.md'];
const DEVELOPMENT = ['devDependencies', 'scripts'];
const OURS = '@hr/';
/** Far above what they are, so that only what does not belong there reaches it. */
const MOST_PACKED_BYTES = 1024 * 1024;

/** What is wrong with a tarball, in sentences; nothing for one that may be published. */
export function tarballFaults({ manifest, files, changelog, packedBytes }: Tarball): string[] {
  const { version, dependencies = {} } = manifest;
  const text = JSON.stringify(manifest);
  const names = files.map(({ name }) => name);
  return [
    ...names.filter((name) => !PUBLISHED.test(name) || TEST.test(name)).map((name) => `${name} is not for its users`),
    ...REQUIRED.filter((name) => !names.includes(name)).map((name) => `it has no ${name}`),
    ...(changelog.split('\n').includes(`## ${version}`) ? [] : [`its CHANGELOG.md does not tell of ${version}`]),
    ...Object.entries(dependencies)
      .filter(([name, range]) => name.startsWith(OURS) && /^\d/.test(range) && !isSnapshot(version))
      .map(([name]) => `it asks for one version of ${name}, and would get no fix of it: write workspace:^`),
    ...DEVELOPMENT.filter((key) => key in manifest).map((key) => `its package.json has ${key}`),
    ...(/"(workspace|catalog|link|file):/.exec(text)
      ? ['its package.json has ranges that only this workspace knows']
      : []),
    ...(text.includes('@hr/source') ? ['its package.json names source, which is not in it'] : []),
    ...(manifest.private ? ['it is private'] : []),
    ...(manifest.publishConfig?.access === 'restricted' ? [] : ['its publishConfig.access is not restricted']),
    ...(packedBytes > MOST_PACKED_BYTES ? [`it has ${packedBytes} bytes, and may have ${MOST_PACKED_BYTES}`] : []),
  ];
}
