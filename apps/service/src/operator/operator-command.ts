import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import { CommandError } from '../terminal/command-error.ts';
import { textTable, type Terminal } from '../terminal/terminal.ts';
import { checkedResponse, readOperator, type CommandContext, type OperatorResponse } from './operator-api.ts';
import { YES_OR_NO } from './operator-models.ts';
import type { OperatorOperation } from './operator-operation.ts';

/** Gives a command its arguments, options and action, or its subcommands. */
export type DefineCommand = (command: Command, context: CommandContext) => void;

/** What does not follow from the table of operations. */
interface Shown<Response> {
  /** The response as a person reads it. Without it, the command always prints JSON. */
  readonly text?: (response: Response) => string;
  /** Parameter → the value that its option has by default. */
  readonly defaults?: Readonly<Record<string, string>>;
  /** Parameter of the body → an option of its own that gives it. */
  readonly options?: Readonly<Record<string, Option>>;
  /** Runs before the call. */
  readonly before?: (command: Command, context: CommandContext) => Promise<void>;
}

/**
 * A command that calls an operation of operators. Its arguments are the parameters of the path and required lists, its
 * options all others, described as in the OpenAPI document. `--json` prints the response as it comes.
 */
export function operatorCommand<Operation extends OperatorOperation>(
  operation: Operation,
  { text, defaults = {}, options: own = {}, before }: Shown<OperatorResponse<Operation>> = {},
): DefineCommand {
  return (command, context) => {
    const { terminal } = context;
    const { summary, pathParameters, query, body } = operation;
    command.summary(asHelp(summary)).description(`${summary}. ${operation.description}`);
    const parameters = [
      ...parametersOf('path', pathParameters),
      ...parametersOf('query', query),
      ...(body ? parametersOf('body', body) : []),
    ].map((parameter) => ({ ...parameter, option: own[parameter.name] ?? parameter.option }));
    for (const { name, description, option, isList } of parameters) {
      if (option) command.addOption(option.default(defaults[name]));
      else command.argument(isList ? `<${name.replace(/s$/, '')}...>` : argumentOf(name, command), description);
    }
    if (text) command.option('--json', 'print JSON');
    command.action(async () => {
      await before?.(command, context);
      const { json, ...options } = command.opts<Record<string, unknown>>();
      const values = command.processedArgs.values();
      const inputs = { path: {}, query: {}, ...(body && { body: {} }) };
      for (const { place, name, option, isList } of parameters) {
        const value: unknown = option ? options[option.attributeName()] : values.next().value;
        if (value === undefined) continue;
        // Commander takes no `null`.
        Object.assign(inputs[place as 'path'], { [name]: isList && value === ALL ? null : value });
      }
      await readOperator(context, operation, inputs, async (response) => {
        if (text && json !== true) terminal.stdout.write(text(await checkedResponse(operation, response)));
        else await printJson(response, terminal);
      });
    });
  };
}

/** A command that has only subcommands, such as `disable|revoke` with an alias. */
export function commandGroup(commands: Readonly<Record<string, DefineCommand>>): DefineCommand {
  return (group, context) => {
    for (const [names, define] of Object.entries(commands)) {
      const [name = '', ...aliases] = names.split('|');
      define(group.command(name).aliases(aliases), context);
    }
  };
}

/** Stands for `null` as a list. */
const ALL = 'all';

type Cell = string | number | undefined;

/**
 * A list as a table for a person.
 *
 * @param none what to print if there are no rows
 * @param columns heading → the field, or the text of the cell
 */
export function table<Row>(
  none: string,
  columns: Readonly<Record<string, keyof Row | ((row: Row) => Cell)>>,
): (rows: readonly Row[]) => string {
  return (rows) => {
    const cells = rows.map((row) =>
      Object.values(columns).map((cell) =>
        String((typeof cell === 'function' ? cell(row) : (row[cell] as Cell)) ?? ''),
      ),
    );
    return rows.length === 0 ? `${none}\n` : textTable([Object.keys(columns), ...cells]);
  };
}

type Property = z.core.JSONSchema.BaseSchema & { readonly enum?: readonly string[]; readonly items?: Property };

type Place = 'path' | 'query' | 'body';

/** The parameters of a place. One without an `option` is an argument. */
function parametersOf(place: Place, model: z.ZodType) {
  const schema = z.toJSONSchema(model, { io: 'input' });
  // A model with an id is a definition.
  const { properties = {}, required = [] } = Object.values(schema.$defs ?? {})[0] ?? schema;
  return Object.entries(properties).map(([name, property]) => {
    const parameter = { ...(property as Property).anyOf?.[0], ...(property as Property) } as Property;
    const isRequired = required.includes(name);
    const isList = parameter.type === 'array';
    const isArgument = place === 'path' || (isRequired && isList);
    const option = isArgument ? undefined : optionOf(place, name, parameter).makeOptionMandatory(isRequired);
    return { place, name, description: asHelp(parameter.description), isList, option };
  });
}

/** `<id>` of what the group of the command is about, otherwise such as `<client>`. */
function argumentOf(name: string, { parent }: Command): string {
  const what = name.replace(/Id$/, '');
  return parent?.name() === `${what}s` ? '<id>' : `<${what}>`;
}

function optionOf(place: Place, name: string, schema: Property): Option {
  const { type, title, description, items, enum: values } = schema;
  const words = name
    .replaceAll(/^payroll|Id$/g, '')
    .replaceAll(/(?<!^)[A-Z]/g, '-$&')
    .toLowerCase();
  const value = title?.toLowerCase() ?? (name.endsWith('Id') ? 'id' : words.replace(/.*-.*/, 'value'));
  const names = items?.enum?.join(', ');
  const choice = names === undefined ? '' : `some of ${names}, `;
  const help = `${asHelp(description)}${items ? `; ${choice}separated by commas` : ''}`;
  const isFlag = (type === 'boolean' && title !== YES_OR_NO) || schema.const === 'true';
  const option = new Option(
    isFlag ? `--${words}` : `--${words} <${value}>`,
    help.replace('`null` for all', `\`${ALL}\``),
  );
  if (values) option.choices(values);
  if (items && place === 'body') option.argParser((given) => (given === ALL ? given : given.split(',')));
  if (title === YES_OR_NO) {
    option.choices(['yes', 'no']);
    const parse = option.parseArg;
    option.argParser((given) => parse?.(given, undefined) === 'yes');
  }
  const choices = items?.enum;
  if (choices && place === 'query') {
    option.argParser((given) => {
      if (given.split(',').every((one) => choices.includes(one))) return given;
      throw new InvalidArgumentError(`Allowed choices are ${names}.`);
    });
  }
  return option;
}

/** A sentence of the OpenAPI document as help has it. */
function asHelp(sentence = ''): string {
  return sentence.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase()).replace(/\.$/, '');
}

/** Prints JSON as it comes, however long it is. */
async function printJson(json: Readable, { stdout }: Terminal): Promise<void> {
  try {
    await pipeline(json, stdout, { end: false });
  } catch (error) {
    // A reader such as `head` that has enough is no failure.
    if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return;
    throw new CommandError('The response broke off: what was printed is not all of it.');
  }
  stdout.write('\n');
}
