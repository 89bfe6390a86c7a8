import type { CodeBlock } from './code-block.ts';
import { contractsCommandFault } from './contracts-command-fault.ts';
import { serviceCommandFault } from './service-command-fault.ts';
import { shellCommands } from './shell-commands.ts';

/** What a command line can ask for. */
export interface KnownCommands {
  /** The scripts of each package of the workspace, by its name; those of the workspace itself are of ''. */
  readonly scripts: ReadonlyMap<string, readonly string[]>;
  /** The help of each command of `hr-contracts`, by its name. */
  readonly contractsHelp: ReadonlyMap<string, string>;
}

type Check = (words: readonly string[], known: KnownCommands) => string | undefined;

/** Commands of package managers, as far as a page has a reason to name them. */
const BUILT_IN: Readonly<Record<string, readonly string[]>> = {
  npm: ['config', 'deprecate', 'dist-tag', 'explain', 'install', 'outdated', 'update', 'view'],
  pnpm: ['add', 'config', 'dedupe', 'install', 'outdated', 'update', 'why'],
  yarn: ['add', 'install', 'why'],
};
const VALUE_OPTIONS = new Set(['--filter', '--dir']);

/** Programs that nothing here decides on. */
const SYSTEM = new Set(['cat', 'cd', 'curl', 'docker', 'echo', 'env', 'git', 'mkdir', 'node', 'printf']);

const checks: Readonly<Record<string, Check>> = {
  npm: ([name = '']) => builtInFault('npm', name),
  yarn: ([name = '']) => builtInFault('yarn', name),
  pnpm: pnpmFault,
  npx: ([name = '', ...words], known) => {
    if (name.startsWith('pnpm@')) return pnpmFault(words, known);
    if (name === 'hr-contracts') return contractsCommandFault(words, known.contractsHelp);
    return name === 'vitest' || name === 'msw' ? undefined : `npx ${name}: nobody knows this program`;
  },
};

/** What is wrong with the commands of a block `sh`. */
export function commandFaults({ document, line, code }: CodeBlock, known: KnownCommands): string[] {
  return shellCommands(code).flatMap((command) => {
    const [program = '', ...words] = command.words;
    const check = checks[program];
    if (!check && SYSTEM.has(program)) return [];
    const fault = check ? check(words, known) : `${program}: nobody knows this program`;
    return fault === undefined ? [] : [`${document}:${line + command.line}: ${fault}`];
  });
}

function pnpmFault(given: readonly string[], known: KnownCommands): string | undefined {
  const words = [...given];
  let packageName = '';
  while (words[0]?.startsWith('-')) {
    const option = words.shift() ?? '';
    if (VALUE_OPTIONS.has(option)) packageName = words.shift() ?? '';
  }
  if (words[0] === 'run') words.shift();
  const [name = '', ...rest] = words;
  if (packageName === '' && name === 'service') return serviceCommandFault(rest);
  const scripts = known.scripts.get(packageName);
  if (!scripts) return `there is no package ${packageName}`;
  // `changeset` is a program that the workspace depends on.
  return scripts.includes(name) || name === 'changeset' ? undefined : builtInFault('pnpm', name);
}

function builtInFault(program: string, name: string): string | undefined {
  return BUILT_IN[program]?.includes(name) ? undefined : `${program} ${name}: there is no such script or command`;
}
