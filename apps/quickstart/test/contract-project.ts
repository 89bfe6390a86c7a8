import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { parseCLI, startVitest } from 'vitest/node';

const packageFolder = fileURLToPath(new URL('..', import.meta.url));

/** A team's project, in which a page is tried. */
export interface ContractProject {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Runs a program of Node.js, and gives all it has printed. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Runs its tests, with a vitest of their own in this process, which has loaded it already. */
  tests(args?: readonly string[]): Promise<string>;
  remove(): Promise<void>;
}

// The packages are used from their source here, which a team has no need to say. With a thread instead of a process, and
// source that Node.js loads and caches itself, a run takes half as long.
const conditions = `
  import { nodeTests } from 'tooling-vitest';
  import { mergeConfig } from 'vitest/config';
  import own from './vitest.config.ts';
  const ours = {
    reporters: ['default'],
    maxWorkers: 1,
    isolate: false,
    pool: 'threads',
    execArgv: ['--conditions=@hr/source'],
    server: { deps: { external: [/\\/packages\\/\\w+\\/src\\//] } },
  };
  export default mergeConfig(nodeTests(ours), own);
`;

/** Makes an empty project where nothing is formatted or linted meanwhile. */
export async function contractProject(): Promise<ContractProject> {
  const reports = join(packageFolder, 'reports');
  await mkdir(reports, { recursive: true });
  const folder = await mkdtemp(join(reports, 'project-'));
  const project: ContractProject = {
    folder,
    async write(name, text) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    },
    read: (name) => readFile(join(folder, name), 'utf8'),
    async node(args, given = {}) {
      const { CI: _CI, ...env } = process.env;
      const run = promisify(execFile)(process.execPath, ['--conditions=@hr/source', ...args], {
        cwd: folder,
        env: { ...env, NO_COLOR: '1', ...given },
      });
      const { stdout, stderr } = await run.catch((error: unknown) => error as Awaited<typeof run>);
      return stdout + stderr;
    },
    async tests(args = []) {
      let output = '';
      const terminal = new Writable({
        write(chunk, _encoding, done) {
          output += String(chunk);
          done();
        },
      });
      const { filter, options } = parseCLI(['vitest', 'run', '--config', 'conditions.config.ts', ...args]);
      const before = process.cwd();
      process.chdir(folder);
      try {
        await startVitest(filter, options, {}, { stdout: terminal, stderr: terminal });
        return stripVTControlCharacters(output);
      } finally {
        process.chdir(before);
        process.exitCode = undefined;
      }
    },
    remove: () => rm(folder, { recursive: true }),
  };
  await project.write('conditions.config.ts', conditions);
  return project;
}

/** A page of `@hr/testing`. */
export function readPage(name: string): Promise<string> {
  return readFile(new URL(`../../../packages/testing/docs/${name}`, import.meta.url), 'utf8');
}

/** The blocks of code of a page in a language. */
export function blocksOf(page: string, language: string): string[] {
  const blocks = page.matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return Array.from(blocks, ([, found, text = '']) => (found === language ? [text] : [])).flat();
}
