import { parseArgs } from 'node:util';
import { parts } from './parts.ts';
import { runParts } from './run-parts.ts';

const { values, positionals } = parseArgs({
  options: { persons: { type: 'string', default: '200000' } },
  allowPositionals: true,
});
const persons = Number(values.persons);
const names = parts.map(({ name }) => name);
const unknown = positionals.filter((name) => !names.includes(name));
if (unknown.length > 0) throw new Error(`Unknown part ${unknown.join(', ')}: use ${names.join(', ')}.`);
if (!Number.isInteger(persons) || persons < 100) throw new Error('--persons must be an integer of at least 100.');

await runParts(
  parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name)),
  persons,
);
