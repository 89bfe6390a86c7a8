import { dirname, join, matchesGlob, relative } from 'node:path';
import type { Document } from './document.ts';

/** A package whose documents are read where nothing else of this workspace is. */
export interface PublishedFolder {
  readonly folder: string;
  /** What of it is published, as its package.json says. */
  readonly files: readonly string[];
}

/** All that a link can lead to. */
export interface LinkTargets {
  readonly documents: readonly Document[];
  readonly exists: (path: string) => boolean;
  readonly published: readonly PublishedFolder[];
}

/** npm publishes it whatever package.json says. */
const ALWAYS_PUBLISHED = 'README.md';
/** Written by the release. */
const RELEASE_WRITES = 'CHANGELOG.md';

/** What is wrong with the links of a document that lead to files of this workspace. */
export function linkFaults({ path, anchors, links }: Document, targets: LinkTargets): string[] {
  const home = targets.published.find(({ folder }) => path.startsWith(`${folder}/`));
  return links
    .filter(({ url }) => !/^[a-z]+:/.test(url))
    .flatMap(({ line, url }) => {
      const [file = '', anchor] = url.split('#');
      const target = file === '' ? path : join(dirname(path), decodeURI(file));
      const document = targets.documents.find((each) => each.path === target);
      const known = file === '' ? anchors : document?.anchors;
      const fault =
        (home && publicationFault(home, target)) ??
        (targets.exists(target) || isWrittenByRelease(target, targets) ? undefined : 'there is no such file') ??
        (anchor === undefined || known?.has(anchor) ? undefined : 'there is no such heading');
      return fault === undefined ? [] : [`${path}:${line}: ${url}: ${fault}`];
    });
}

function publicationFault({ folder, files }: PublishedFolder, target: string): string | undefined {
  const inside = relative(folder, target);
  const isPublished = [ALWAYS_PUBLISHED, ...files].some((file) => inside === file || matchesGlob(inside, `${file}/**`));
  return isPublished ? undefined : 'this is not in the package';
}

function isWrittenByRelease(target: string, { published }: LinkTargets): boolean {
  return published.some(({ folder }) => target === join(folder, RELEASE_WRITES));
}
