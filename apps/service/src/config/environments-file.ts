import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import type { z } from 'zod';
import { ConfigError } from './start-errors.ts';

const OPEN_TO_OTHERS = 0o077;

/**
 * Reads the file of `HR_ENVIRONMENTS`: a JSON array with an object for each environment.
 *
 * @param model of an environment; its descriptions say what to give
 * @throws {ConfigError} which has a line for each fault, and shows no value but hosts.
 */
export function readEnvironmentsFile<Model extends z.ZodObject>(file: string, model: Model): z.output<Model>[] {
  const entries = parsed(file, readPrivate(file));
  if (!Array.isArray(entries) || entries.length === 0) {
    throw fault(`${file} must be a JSON array of environments: [{ "host": "…", "database": "postgres://…" }].`);
  }
  const names = Object.keys(model.shape);
  const lines = entries.flatMap((entry: unknown, index) => {
    const issues = model.safeParse(entry).error?.issues ?? [];
    return issues.flatMap((issue) => {
      const place = `entry ${index + 1} of ${file}${nameOf(entry)}`;
      if (issue.code === 'unrecognized_keys') {
        return `${place} has unknown settings (${issue.keys.join(', ')}): remove them, or give ${names.join(', ')}.`;
      }
      const name = String(issue.path[0] ?? '');
      const { description } = (model.shape[name] ?? {}) as { readonly description?: string };
      if (description === undefined) return `${place} must be an object with "host" and "database".`;
      return `"${name}" in ${place} is not valid: give ${description}.`;
    });
  });
  const environments = lines.length > 0 ? [] : entries.map((entry) => model.parse(entry));
  for (const [name, of] of [
    ['host', (entry: z.output<Model>) => entry['host']],
    ['database', (entry: z.output<Model>) => databaseOf(String(entry['database']))],
  ] as const) {
    const twice = environments.filter((one, index) => environments.findIndex((other) => of(other) === of(one)) < index);
    const hosts = twice.map((one) => String(one['host'])).join(', ');
    if (twice.length > 0)
      lines.push(`"${name}" of ${hosts} in ${file} is that of another environment: give each its own.`);
  }
  if (lines.length > 0) throw fault(...lines);
  return environments;
}

function readPrivate(file: string): string {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'r');
  } catch {
    throw fault(`${file} cannot be read: give the path of a JSON file.`);
  }
  try {
    const { mode, uid } = fstatSync(descriptor);
    if ((mode & OPEN_TO_OTHERS) !== 0 && uid === process.getuid?.()) {
      throw fault(`${file} contains passwords, but others can read it. Run: chmod 600 ${file}`);
    }
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function parsed(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // The rest of the message shows a part of the file.
    const [place = ''] = / \(line \d+ column \d+\)/.exec((error as Error).message) ?? [];
    throw fault(`${file} is no JSON${place}: correct it.`);
  }
}

function nameOf(entry: unknown): string {
  const { host } = { ...(entry as { readonly host?: unknown } | null) };
  return typeof host === 'string' && /^[\w.:[\]-]{1,255}$/.test(host) ? ` (${host})` : '';
}

/** What two addresses of the same database have in common: its servers and its name, but not the user. */
function databaseOf(url: string): string {
  const [, servers = '', name = ''] = /^\w+:\/\/(?:[^@/]*@)?([^/?]*)([^?]*)/.exec(url) ?? [];
  return servers.toLowerCase() + name;
}

function fault(...lines: readonly string[]): ConfigError {
  return new ConfigError(lines.map((line) => `HR_ENVIRONMENTS: ${line}`).join('\n'));
}
