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
  return { scripts: new Map(scripts as [string, string[]][]), contractsUsage: await contractsUsage() };
}

async function contractsUsage(): Promise<string> {
  const program = fileURLToPath(new URL('../node_modules/@hr/testing/bin/hr-contracts.js', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program, '--help']);
  return stdout;
}
