/** What the help of a command consists of. */
export interface CommandHelp {
  /** One line without a full stop. */
  readonly summary: string;
  /** The arguments in the usage, and what they are. */
  readonly pacts?: readonly [usage: 'PACTS...' | '[PACTS...]' | '-- COMMAND...', text: string];
  /** Texts of flags: a boolean is `--name` or `-n, --name`, any other `--name VALUE`. */
  readonly flags: Readonly<Record<string, string>>;
  /** Names of flags. */
  readonly required?: readonly string[];
  /** Environment variables, with what they are for. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly examples: readonly string[];
  /** What to know before running it. */
  readonly notes?: readonly string[];
  /** By their numbers; default: those of the program. */
  readonly exitCodes?: readonly string[];
}

/** Flags and their parts. */
export function flagsOf(flags: CommandHelp['flags']) {
  return Object.entries(flags).map(([names, text]) => {
    const [, short, name = '', value] = /^(?:-(\w), )?--(\S+)(?: (\S+))?$/.exec(names) ?? [];
    return { names, short, name, value, text };
  });
}

const HELP_FLAG = ['-h, --help', 'Print this help'] as const;

/** The help of the program, which lists its commands. */
export function programHelp(commands: Readonly<Record<string, CommandHelp>>): string {
  return [
    'Verify consumer contracts of the HR Cloud, and check deployments against them.',
    section('usage', ['hr-contracts <command> [PACTS...] [flags]']),
    section('commands', table(Object.entries(commands).map(([name, { summary }]) => [name, summary]))),
    section('flags', table([HELP_FLAG])),
    section(
      'examples',
      Object.values(commands).flatMap(({ examples }) => examples.slice(0, 1)),
    ),
    section('exit codes', ['0  success', '1  failure', '2  usage error']),
    'Run "hr-contracts <command> --help" for the arguments and flags of a command.',
  ].join('\n\n');
}

/** The help of a command. */
export function commandHelp(
  name: string,
  { summary, pacts, flags, required = [], environment, examples, notes, exitCodes }: CommandHelp,
): string {
  const rows = flagsOf(flags).map(({ name: flag, names, text }) => {
    return [names, required.includes(flag) ? `${text} (required)` : text] as const;
  });
  const [usage, text = ''] = pacts ?? [];
  const isCommand = usage === '-- COMMAND...';
  // Behind two dashes, flags are those of COMMAND.
  const words = isCommand ? ['[flags]', usage] : [usage ?? [], '[flags]'];
  return [
    `${summary}.`,
    section('usage', [['hr-contracts', name, ...words].flat().join(' ')]),
    ...(pacts ? [section('arguments', table([[isCommand ? 'COMMAND' : 'PACTS', text]]))] : []),
    section('flags', table([...rows, HELP_FLAG])),
    ...(environment ? [section('environment', table(Object.entries(environment)))] : []),
    ...(notes ? [section('notes', notes)] : []),
    ...(exitCodes ? [section('exit codes', exitCodes)] : []),
    section('examples', examples),
  ].join('\n\n');
}

function section(title: string, lines: readonly string[]): string {
  return [title.toUpperCase(), ...lines.map((line) => `  ${line}`)].join('\n');
}

function table(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length));
  return rows.map(([first, second]) => `${first.padEnd(width)}  ${second}`);
}
