import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApiPackage } from './api-package.ts';
import type { Models } from './models.ts';
import { readSection, writeSection } from './section.ts';
import type { Section } from './section.ts';
import { readTerms, writeTerms } from './terms.ts';
import type { Term } from './terms.ts';

/** What a report says of a package. */
export interface Offer {
  readonly terms: readonly Term[];
  readonly sections: readonly Section[];
  readonly models: readonly Models[];
}

const INTRODUCTION =
  'What its users install and all that they can import, and so what a change must keep. Made from what is built; ' +
  'docs/releasing.md says how, and what a change to it needs.';

const TITLE = /^# The API of (\S+)(?: (\S+))?$/m;
const TERMS = /^## `package\.json`\n\n```text\n(.*?)^```$/ms;
const MODELS = /^## Models of `([^`\n]+)`\n\n```text\n(.*?)^```$/gms;
const MODEL = /^(.+?): (.+)$/gm;
const SECTION = /^## `([^`\n]+)`\n\n```ts\n(.*?)^```$/gms;

/** The text of a report, with a section for package.json, for each entry point and for its models. */
export function writeReport(name: string, { terms, sections, models }: Offer): string {
  const parts = sections.map(
    (section) => `## \`${section.specifier}\`\n\n\`\`\`ts\n${writeSection(section)}\n\`\`\`\n`,
  );
  const manifest = `## \`package.json\`\n\n\`\`\`text\n${writeTerms(terms)}\n\`\`\`\n`;
  const bounds = models.map(({ specifier, lines }) => {
    const text = Array.from(lines, ([field, takes]) => `${field}: ${takes}\n`).join('');
    return `## Models of \`${specifier}\`\n\n\`\`\`text\n${text}\`\`\`\n`;
  });
  return [`# The API of ${name}\n`, `${INTRODUCTION}\n`, manifest, ...parts, ...bounds].join('\n');
}

/** What a report says. */
export function readReport(text: string): Offer {
  return {
    terms: readTerms(TERMS.exec(text)?.[1] ?? ''),
    sections: Array.from(text.matchAll(SECTION), ([, specifier = '', code = '']) => readSection(specifier, code)),
    models: Array.from(text.matchAll(MODELS), ([, specifier = '', lines = '']) => ({
      specifier,
      lines: new Map(Array.from(lines.matchAll(MODEL), ([, name = '', takes = '']) => [name, takes])),
    })),
  };
}

/** A report that says of which version it is. */
export function withVersion(text: string, version: string): string {
  return text.replace(TITLE, `# The API of $1 ${version}`);
}

/** The version that a report is of; nothing where it says none. */
export function versionOf(text: string): string | undefined {
  return TITLE.exec(text)?.[2];
}

/** Where the report of a package is: as it is now, and as it was released. */
export function reportPaths({ folder }: Pick<ApiPackage, 'folder'>): { now: string; released: string } {
  return { now: join(folder, 'api.md'), released: join(folder, 'api.released.md') };
}

/** The text of a report; nothing where there is none. */
export async function readReportFile(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
