import { cp, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../run.ts';

/** For each published package, what an installation of it contains. */
export const installations: Readonly<Record<string, readonly string[]>> = {
  '@hr/auth': ['@hr/auth', 'oauth4webapi'],
  '@hr/client': ['@hr/client', '@hr/schemas', 'ky'],
  '@hr/schemas': ['@hr/schemas', 'zod'],
  '@hr/testing': ['@hr/schemas', '@hr/testing', 'zod'],
};

const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  '@hr/schemas': ['zod'],
  // Its peers are optional. npm would get the metadata of forty packages that they depend on, and install none.
  '@hr/testing': ['--legacy-peer-deps'],
};

/** Versions of packages, by name. */
export type Versions = Readonly<Record<string, string>>;

interface Project {
  readonly folder: string;
  /** The versions of what it contains. */
  readonly versions: Versions;
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}

const installed = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const consumers = fileURLToPath(new URL('../../consumers', import.meta.url));
const FLAGS = '--strict --skipDefaultLibCheck --noEmit --module nodenext --target esnext'.split(' ');

/** A team that has signed in to the registry, and does not have this workspace. */
export async function newTeam(folder: string, env: NodeJS.ProcessEnv) {
  await mkdir(folder);
  async function npmInstall(...args: readonly string[]): Promise<Project> {
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

  return {
    /** Installs a package in a new folder, without any other package but the one that its README installs with it. */
    async install(name: string): Promise<Project> {
      const project = await npmInstall(name, ...(ARGUMENTS[name] ?? []));
      await cp(join(consumers, `${name.slice('@hr/'.length)}.ts`), join(project.folder, 'program.ts'));
      return project;
    },
    /** The versions that an installation of a package would contain. */
    async resolve(specifier: string): Promise<Versions> {
      return (await npmInstall('--package-lock-only', specifier)).versions;
    },
    /** Compiles the program of each project with the least that the READMEs ask for, also the declarations it uses. */
    async typeCheck(projects: readonly Project[]): Promise<void> {
      const files = projects.map((project) => join(project.folder, 'program.ts'));
      const nodeTypes = ['--types', 'node', '--typeRoots', installed('@types')];
      await compile('typescript-6', folder, '--lib', 'es2022', ...nodeTypes, ...files);
      // Each alone, because a package can declare globals that another one lacks.
      for (const project of projects) {
        // oxlint-disable-next-line no-await-in-loop -- there are few processors
        await compile('typescript', project.folder, '--lib', 'es2022,dom', '--singleThreaded', 'program.ts');
      }
    },
    /** What the program of each project prints with a Node.js. */
    async runPrograms(node: 'node' | 'node-22', projects: readonly Project[], baseUrl: string): Promise<unknown> {
      const lines = projects.map((one) => `(await import('${one.folder}/program.ts')).program('${baseUrl}')`);
      const main = `console.log(JSON.stringify(await Promise.all([${lines.join(', ')}])))`;
      const args = ['--no-warnings', '--input-type=module', '--eval', main];
      return JSON.parse(await run(installed(`${node}/bin/node`), args, { cwd: folder, env }));
    },
  };
}
