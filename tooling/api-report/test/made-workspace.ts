import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'tooling-release/run';

/** A package as it was built. */
export interface Built {
  /** Its declarations, by file name without ending. One with `_` is no entry point. */
  readonly types: Readonly<Record<string, string>>;
  readonly manifest?: object;
  /** The text of its only module that runs; else each exported value is a number. */
  readonly module?: string;
  readonly readme?: string;
}

/** A workspace with a git repository, in a temporary folder. */
export interface MadeWorkspace extends AsyncDisposable {
  readonly folder: string;
  readonly write: (path: string, text: string) => Promise<void>;
  readonly git: (...args: readonly string[]) => Promise<string>;
  /** Writes packages without a report. */
  readonly build: (packages: Readonly<Record<string, Built>>) => Promise<void>;
}

const VALUE = /^export declare (?:abstract )?(?:class|const|function) ([\w$]+)/gm;
const PASSED_ON = /^export (?!type|declare|interface).*from.*$/gm;

export async function makeWorkspace(): Promise<MadeWorkspace> {
  const folder = await mkdtemp(join(tmpdir(), 'hr-made-'));
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const settings = ['user.name=Test', 'user.email=test@example.com', 'commit.gpgSign=false', 'tag.gpgSign=false'];
  const git = (...args: readonly string[]): Promise<string> =>
    run('git', [...settings.flatMap((setting) => ['-c', setting]), ...args], { cwd: folder });
  await write('pnpm-workspace.yaml', 'catalog:\n  one: ^1.2.0\n');
  await git('init', '--quiet');
  return {
    folder,
    write,
    git,
    async build(packages) {
      for (const [name, { types, manifest, module, readme = '' }] of Object.entries(packages)) {
        const files = Object.keys(types);
        const exports = Object.fromEntries(
          files
            .filter((file) => !file.startsWith('_'))
            .map((file) => [
              file === 'index' ? '.' : `./${file}`,
              { types: `./dist/${file}.d.ts`, default: `./dist/${file}.js` },
            ]),
        );
        const written = {
          'package.json': JSON.stringify({
            name: `@made/${name}`,
            version: '1.2.0',
            type: 'module',
            exports,
            ...manifest,
          }),
          'README.md': readme,
          ...Object.fromEntries(
            Object.entries(types).flatMap(([file, code]) => {
              const values = new Set(Array.from(code.matchAll(VALUE), ([, value]) => `export const ${value} = 0;`));
              const made = [...values, ...(code.match(PASSED_ON) ?? [])].join('\n');
              return [
                [`dist/${file}.d.ts`, code],
                [`dist/${file}.js`, module ?? made],
              ];
            }),
          ),
        };
        // oxlint-disable-next-line no-await-in-loop -- a few small files
        await Promise.all(Object.entries(written).map(([path, text]) => write(`packages/${name}/${path}`, text)));
      }
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
