import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedPackages } from '../published-packages.ts';
import { run } from '../run.ts';

/** Versions of packages, by name. */
export type Versions = Readonly<Record<string, string>>;

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

const FIRST_EXAMPLE = /^npm install (?:--save-dev )?([^\n]+)$.*?^```ts\n(.*?)^```\n\n```text\n(.*?)^```$/ms;
const DEMO_ADDRESS = 'http://127.0.0.1:4010';
const FLAGS = '--strict --skipDefaultLibCheck --noEmit --module nodenext --target esnext'.split(' ');
/** Entry points that need an optional peer. */
const NEEDS_PEERS = /^@hr\/testing\/(msw|pact|provider)/;
/** One that needs Node.js, and its types. */
const NEEDS_NODE = '@hr/client/mirror';

const installed = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));

/** A team that has signed in to the registry, and does not have this workspace. */
export async function newTeam(folder: string, env: NodeJS.ProcessEnv) {
  await mkdir(folder);
  /** Installs packages in a new folder. */
  async function npmInstall(...args: readonly string[]) {
    const cwd = await mkdtemp(join(folder, 'project-'));
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd, env });
    const { packages } = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as Lockfile;
    const { '': _project, ...all } = packages;
    const versions = Object.entries(all).map(([path, { version }]) => [path.replace('node_modules/', ''), version]);
    return { folder: cwd, versions: Object.fromEntries(versions) as Versions };
  }
  const compile = (typescript: string, cwd: string, ...args: readonly string[]): Promise<string> =>
    run(process.execPath, [installed(`${typescript}/bin/tsc`), ...FLAGS, ...args], { cwd, env });

  /** Compiles the program in a folder with the least that the READMEs ask for, also the declarations it uses. */
  const typeCheck = (cwd: string): Promise<string> =>
    compile('typescript', cwd, '--lib', 'es2022,dom', '--singleThreaded', 'program.ts');

  return {
    npmInstall,
    typeCheck,
    /** Installs each package of a workspace as its README says, and writes the first program that this shows. */
    async followReadmes(workspace: string, serviceUrl: string) {
      const packages = await publishedPackages(workspace);
      return Promise.all(
        packages.map(async ({ dir, packageJson }) => {
          const { name, exports } = packageJson as typeof packageJson & { readonly exports: object };
          const readme = await readFile(join(dir, 'README.md'), 'utf8');
          const [, names = '', code = '', output] = FIRST_EXAMPLE.exec(readme) ?? [];
          if (output === undefined)
            throw new Error(`The README of ${name} lacks npm install, or a program and its output.`);
          // Without the flag, npm would get the metadata of forty packages that optional peers depend on, and install none.
          const project = await npmInstall(
            ...names.split(' '),
            ...(name === '@hr/testing' ? ['--legacy-peer-deps'] : []),
          );
          const entryPoints = Object.keys(exports).map((subpath) => `${name}${subpath.slice(1)}`);
          const alone = entryPoints.filter((one) => !NEEDS_PEERS.test(one) && one !== NEEDS_NODE);
          const program = [...alone.map((one) => `import '${one}';\n`), code.replace(DEMO_ADDRESS, serviceUrl)];
          await writeFile(join(project.folder, 'program.ts'), program.join(''));
          const inNode = entryPoints.includes(NEEDS_NODE) ? `import '${NEEDS_NODE}';\n` : '';
          await writeFile(join(project.folder, 'in-node.ts'), inNode);
          return { ...project, name, output };
        }),
      );
    },
    /** The same with TypeScript 6 and the types of Node.js, for the programs in several folders at once. */
    typeCheckInNode(folders: readonly string[]): Promise<string> {
      const files = folders.flatMap((one) => [join(one, 'program.ts'), join(one, 'in-node.ts')]);
      const nodeTypes = ['--types', 'node', '--typeRoots', installed('@types')];
      return compile('typescript-6', folder, '--lib', 'es2022', ...nodeTypes, ...files);
    },
    /** What the program in a folder prints with a Node.js. */
    runProgram: (node: 'node' | 'node-22', cwd: string): Promise<string> =>
      run(installed(`${node}/bin/node`), ['--no-warnings', 'program.ts'], { cwd, env }),
  };
}
