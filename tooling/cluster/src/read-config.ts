import { readFile } from 'node:fs/promises';
import { addresses } from './places.ts';

/** Reads a file of `etc` with `$NAME`s replaced by values, and the machines' names before a port by their addresses. */
export async function readConfig(name: string, values: Readonly<Record<string, string>>): Promise<string> {
  const text = await readFile(new URL(`../etc/${name}`, import.meta.url), 'utf8');
  return text
    .replaceAll(/\$([A-Z_]+)/g, (_, key: string) => {
      const value = values[key];
      if (value === undefined) throw new Error(`etc/${name} has $${key}, which has no value.`);
      return value;
    })
    .replaceAll(/\b(db-\d)(?=:\d)/g, (host) => addresses[host] ?? host);
}

/** The variables of a file such as /etc/default/etcd. */
export function variablesOf(text: string): NodeJS.ProcessEnv {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));
}
