import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installed } from '../installed.ts';
import { run } from '../run.ts';

/** A team elsewhere that may read the registry, and knows nothing of this workspace. */
export interface Team {
  /** Installs a package, and nothing else, in a new empty folder. */
  install(specifier: string): Promise<TeamProject>;
}

/** A project that has one of our packages. */
export interface TeamProject {
  /** The versions of all it got, by name. */
  readonly versions: Readonly<Record<string, string>>;
  /** Checks a program with its types, and what is declared in all it imports: as a page in TypeScript 7, and for Node.js in TypeScript 6. */
  readonly typeCheck: () => Promise<void>;
  /** What the program prints on each Node.js. */
  readonly runProgram: (baseUrl: string) => Promise<string[]>;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

const consumers = fileURLToPath(new URL('../../consumers', import.meta.url));
// Each with the least of what the READMEs ask for, so that nothing else makes declarations right.
const compilers = [
  [installed('typescript/bin/tsc'), '--lib', 'es2022,dom'],
  [installed('typescript-6/bin/tsc'), '--lib', 'es2022', '--types', 'node', '--typeRoots', installed('@types')],
];
const runtimes = ['node-22', 'node'].map((name) => installed(`${name}/bin/node`));
const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'esnext', types: [] };
const INSTALLED = 'node_modules/';

export async function newTeam(folder: string, env: NodeJS.ProcessEnv): Promise<Team> {
  await mkdir(folder);
  return {
    async install(specifier) {
      const cwd = await mkdtemp(join(folder, 'project-'));
      const [, name = ''] = /^@hr\/([a-z]+)/.exec(specifier) ?? [];
      await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
      await writeFile(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      await cp(join(consumers, `${name}.ts`), join(cwd, 'program.ts'));
      await run('npm', ['install', '--no-audit', '--no-fund', specifier], { cwd, env });
      const lockfile = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as Lockfile;
      return {
        versions: versionsIn(lockfile),
        async typeCheck() {
          await Promise.all(compilers.map((compiler) => run(process.execPath, [...compiler, '-p', '.'], { cwd, env })));
        },
        runProgram: (baseUrl) => {
          const main = `import { program } from './program.ts'; console.log(await program('${baseUrl}'));`;
          const args = ['--no-warnings', '--input-type=module', '--eval', main];
          return Promise.all(runtimes.map(async (node) => (await run(node, args, { cwd, env })).trimEnd()));
        },
      };
    },
  };
}

function versionsIn({ packages }: Lockfile): Record<string, string> {
  const entries = Object.entries(packages).filter(([path]) => path.startsWith(INSTALLED));
  return Object.fromEntries(entries.map(([path, { version = '' }]) => [path.slice(INSTALLED.length), version]));
}
