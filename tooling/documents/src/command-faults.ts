import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { serviceProgram } from 'service/src/commands/service-program.ts';
import { readPackages, workspace } from './workspace.ts';

/** A command where a line, inline code or a step of a workflow starts, or after another command. */
const COMMAND = /(?:^ *|`|&& |run: |\| (?=npx))(?:\w+=\S+ )*(?:npx )?(pnpm|hr-contracts)(?:@\d+)? ([^`#&|>…\n]+)/gm;

/** Commands of pnpm itself, and programs that the workspace depends on. */
const KNOWN_TO_PNPM = new Set(['add', 'changeset', 'dedupe', 'install', 'outdated', 'update', 'why']);

/** What is wrong with the commands of a text that run something of this workspace. */
export async function commandFaults(text: string): Promise<string[]> {
  const commands = Map.groupBy(text.matchAll(COMMAND), ([, program]) => program);
  const argsOf = (program: string) => commands.get(program)?.map(([, , args = '']) => args.trim()) ?? [];
  return [...contractsFaults(argsOf('hr-contracts')), ...(await scriptFaults(argsOf('pnpm')))];
}

async function scriptFaults(commands: readonly string[]): Promise<string[]> {
  const known = new Map(
    (await readPackages()).map(({ folder, name, scripts }) => [folder === '.' ? '' : name, scripts]),
  );
  const faults = commands.map(async (command) => {
    const [, name = '', script = '', args = ''] =
      /^(?:--silent )?(?:--filter (\S+) )?(?:run )?(\S+)(.*)$/.exec(command) ?? [];
    if (name === '' && script === 'service' && args !== '') return serviceFaults(args);
    if (KNOWN_TO_PNPM.has(script) || Object.hasOwn(known.get(name) ?? {}, script)) return [];
    return [`pnpm ${command}: there is no such script`];
  });
  return (await Promise.all(faults)).flat();
}

/** What the command line of the service says of some arguments. It does nothing of what they say. */
async function serviceFaults(args: string): Promise<string[]> {
  const stream = new PassThrough();
  const words = args.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  const program = await serviceProgram({ env: {}, exitCode: 0, stdin: stream, stdout: stream, stderr: stream }, words);
  const commands = [program];
  for (const command of commands) {
    commands.push(...command.commands);
    if (command.commands.length === 0) command.action(() => undefined);
  }
  return program.parseAsync(words, { from: 'user' }).then(
    () => [],
    // Help ends a program in the same way.
    ({ exitCode, message }: { exitCode: number; message: string }) =>
      exitCode === 0 ? [] : [`pnpm service${args}: ${message}`],
  );
}

/** Compares commands of `hr-contracts` with its help. */
function contractsFaults(commands: readonly string[]): string[] {
  // One process prints the help of all.
  const program = `
    const { hrContracts } = await import('#hr-contracts');
    for (const command of process.argv.slice(1)) {
      await hrContracts([command.split(' ')[0], '--help'], {});
      process.stdout.write('\\0');
    }`;
  const node = ['--input-type=module', '--eval', program, ...commands];
  const cwd = join(workspace, 'packages/testing');
  const help = spawnSync(process.execPath, node, { cwd, encoding: 'utf8' }).stdout.split('\0');
  return commands.flatMap((command, index) => {
    if (!help[index]) return [`hr-contracts ${command}: there is no such command`];
    // Behind two dashes is another command.
    const [own = ''] = command.split(' -- ', 1);
    const unknown = own.match(/--[\w-]+/g)?.filter((flag) => !help[index]?.includes(` ${flag} `)) ?? [];
    return unknown.map((flag) => `hr-contracts ${command}: there is no option ${flag}`);
  });
}
