import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { KnownCommands } from './command-faults.ts';
import { readWorkspaceFile, workspaceFiles } from './workspace.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** The commands that this workspace has. */
export async function readKnownCommands(): Promise<KnownCommands> {
  const paths = ['package.json', ...(await workspaceFiles('*/*/package.json'))];
  const manifests = await Promise.all(paths.map(async (path) => JSON.parse(await readWorkspaceFile(path)) as Manifest));
  const scripts = manifests.map(({ name, scripts: own = {} }, index) => [index === 0 ? '' : name, Object.keys(own)]);
  return { scripts: new Map(scripts as [string, string[]][]), contractsHelp: await contractsHelp() };
}

async function contractsHelp(): Promise<Map<string, string>> {
  const program = fileURLToPath(new URL('../node_modules/@hr/testing/bin/hr-contracts.js', import.meta.url));
  const helpOf = async (...args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...args, '--help']);
    return stdout;
  };
  const [, commands = ''] = /^COMMANDS\n((?: .*\n)+)/m.exec(await helpOf()) ?? [];
  const names = Array.from(commands.matchAll(/^ +(\S+)/gm), ([, name = '']) => name);
  return new Map(await Promise.all(names.map(async (name) => [name, await helpOf(name)] as const)));
}
