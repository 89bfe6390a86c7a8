import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'tooling-chromium';
import type { Reports } from './program.ts';

/** Where the platforms are installed, and the program is bundled as `program.mjs`. */
export const folder = join(import.meta.dirname, '../node_modules/.cache/runtimes');

export interface Platform {
  readonly name: string;
  readonly version: string;
  readonly run: () => Promise<Reports>;
}

const NODE_VERSIONS = [20, 22, 24, 26];
const OLD_DATE = '2024-01-01';
const execute = promisify(execFile);

/** Installs or updates the platforms that npm has. */
export async function installPlatforms(): Promise<Platform[]> {
  // The script of the package `node` installs one of these.
  const binaries = `npm:node-${process.platform}-${process.arch}`;
  const nodes = NODE_VERSIONS.map((major) => `node-${major}@${binaries}@${major}`);
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const options = ['--no-audit', '--no-fund', '--loglevel=error'];
  await execute('npm', ['install', ...options, ...nodes, 'bun', 'deno', 'workerd'], { cwd: folder });

  const code = "await (await import('./program.mjs')).default.test()";
  const node = ['--input-type=module', '--eval', code];
  return Promise.all([
    ...NODE_VERSIONS.map((major) => platform(`Node.js ${major}`, `node-${major}`, `node-${major}/bin/node`, node)),
    platform('Bun', 'bun', '.bin/bun', ['--eval', code]),
    platform('Deno', 'deno', '.bin/deno', ['eval', code]),
    platform(`workerd ${OLD_DATE}`, 'workerd', '.bin/workerd', ['test', 'config.capnp', 'old']),
    platform('workerd newest', 'workerd', '.bin/workerd', ['test', 'config.capnp', 'new']),
  ]);
}

async function platform(name: string, dependency: string, binary: string, args: string[]): Promise<Platform> {
  const modules = join(folder, 'node_modules');
  const text = await readFile(join(modules, dependency, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  if (dependency === 'workerd') await writeFile(join(folder, 'config.capnp'), workerdConfig(version));
  const run = async () => JSON.parse((await execute(join(modules, binary), args, { cwd: folder })).stdout) as Reports;
  return { name, version, run };
}

/** @param version - Such as 1.20261117.1: it has the last date that it knows. */
function workerdConfig(version: string): string {
  const last = version.replace(/^\d+\.(\d{4})(\d\d)(\d\d).*/, '$1-$2-$3');
  return `using Workerd = import "/workerd/workerd.capnp";
    const modules :List(Workerd.Worker.Module) = [(name = "program.mjs", esModule = embed "program.mjs")];
    const config :Workerd.Config = (services = [
      (name = "internet", network = (allow = ["public", "private"], tlsOptions = (trustBrowserCas = true))),
      (name = "old", worker = (compatibilityDate = "${OLD_DATE}", modules = .modules)),
      (name = "new", worker = (compatibilityDate = "${last}", modules = .modules))]);`;
}

/** @param address - An empty page of the server, because a browser asks before a page calls another origin. */
export function chromium(browser: Browser, address: string): Platform {
  return {
    name: 'Chromium',
    version: browser.version(),
    async run() {
      const page = await browser.newPage();
      await page.goto(address);
      const program = await readFile(join(folder, 'program.mjs'), 'utf8');
      await page.addScriptTag({ type: 'module', content: `${program}; globalThis.report = report;` });
      return page.evaluate<Reports>('report()');
    },
  };
}
