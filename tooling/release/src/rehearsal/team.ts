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

/** What its README installs beside a package. */
const peers: Readonly<Record<string, readonly string[]>> = { '@hr/schemas': ['zod'] };

/** Versions of packages, by name. */
export type Versions = Readonly<Record<string, string>>;

/** A team that can read the registry, and does not have this workspace. */
export interface Team {
  /** Installs a package in a new folder, without any other package. */
  install(name: string): Promise<Project>;
  /** The versions that an installation of a package would contain, by name. */
  resolve(specifier: string): Promise<Versions>;
  /** Compiles the program of each project with the least that the READMEs ask for, also the declarations it uses. */
  typeCheck(projects: readonly Project[]): Promise<void>;
  /** What the program of each project prints, by the Node.js that runs it. */
  runPrograms(projects: readonly Project[], baseUrl: string): Promise<Readonly<Record<string, readonly string[]>>>;
}

interface Project {
  readonly name: string;
  readonly folder: string;
  /** The versions of what it contains, by name. */
  readonly versions: Versions;
}

const installed = (path: string): string => fileURLToPath(new URL(`../../node_modules/${path}`, import.meta.url));
const programs = fileURLToPath(new URL('../../consumers', import.meta.url));
const compilerOptions = {
  strict: true,
  skipDefaultLibCheck: true,
  noEmit: true,
  module: 'nodenext',
  target: 'esnext',
  lib: ['es2022'],
  types: ['node'],
  typeRoots: [installed('@types')],
};
const INSTALLED = 'node_modules/';

export async function newTeam(folder: string, env: NodeJS.ProcessEnv): Promise<Team> {
  await mkdir(folder);
  async function install(cwd: string, ...args: readonly string[]): Promise<Versions> {
    await writeFile(join(cwd, 'package.json'), '{ "private": true, "type": "module" }\n');
    await run('npm', ['install', '--no-audit', '--no-fund', ...args], { cwd, env });
    const { packages } = JSON.parse(await readFile(join(cwd, 'package-lock.json'), 'utf8')) as Lockfile;
    const versions = Object.entries(packages).filter(([path]) => path.startsWith(INSTALLED));
    return Object.fromEntries(versions.map(([path, { version }]) => [path.slice(INSTALLED.length), version]));
  }

  return {
    async install(name) {
      const cwd = await mkdtemp(join(folder, 'project-'));
      await cp(join(programs, `${name.slice('@hr/'.length)}.ts`), join(cwd, 'program.ts'));
      return { name, folder: cwd, versions: await install(cwd, name, ...(peers[name] ?? [])) };
    },

    resolve: async (specifier) => install(await mkdtemp(join(folder, 'project-')), '--package-lock-only', specifier),

    async typeCheck(projects) {
      const files = projects.map((project) => join(project.folder, 'program.ts'));
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
      await run(process.execPath, [installed('typescript-6/bin/tsc'), '-p', '.'], { cwd: folder, env });
      // Each alone, because a package can declare globals that another one lacks.
      for (const project of projects) {
        const page = { ...compilerOptions, lib: ['es2022', 'dom'], types: [] };
        const config = { compilerOptions: page, files: ['program.ts'] };
        // oxlint-disable-next-line no-await-in-loop -- the compiler uses every processor
        await writeFile(join(project.folder, 'tsconfig.json'), JSON.stringify(config));
        // oxlint-disable-next-line no-await-in-loop
        await run(process.execPath, [installed('typescript/bin/tsc'), '-p', '.'], { cwd: project.folder, env });
      }
    },

    async runPrograms(projects, baseUrl) {
      const lines = projects.map((one) => `(await import('${one.folder}/program.ts')).program('${baseUrl}')`);
      const main = `console.log(JSON.stringify(await Promise.all([${lines.join(', ')}])))`;
      const args = ['--no-warnings', '--input-type=module', '--eval', main];
      const outputs = ['node-22', 'node'].map(async (node) => {
        const output = await run(installed(`${node}/bin/node`), args, { cwd: folder, env });
        return [node, JSON.parse(output) as string[]] as const;
      });
      return Object.fromEntries(await Promise.all(outputs));
    },
  };
}

interface Lockfile {
  readonly packages: Readonly<Record<string, { readonly version: string }>>;
}
