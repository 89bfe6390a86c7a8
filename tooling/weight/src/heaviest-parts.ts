import type { Part } from './bundle.ts';
import { packageOf } from './module-name.ts';

/** How many modules of a package are told. */
const MOST_TOLD = 8;

/** A line for each package in a bundle: what it takes of it, before it is minified, and the heaviest of its modules. */
export function heaviestParts(parts: readonly Part[]): string {
  const packages = Object.entries(Object.groupBy(parts, ({ name }) => packageOf(name)))
    .map(([name, modules = []]) => ({ name, modules, bytes: sum(modules) }))
    .toSorted(byBytes);
  return packages
    .map(({ name, modules, bytes }) => {
      const told = modules.toSorted(byBytes).slice(0, MOST_TOLD);
      const inside = told.map((module) => `${module.name.slice(name.length + 1)} ${inKB(module.bytes)}`);
      return `  ${inKB(bytes)} kB of ${name}: ${inside.join(', ')}`;
    })
    .join('\n');
}

function byBytes(one: { readonly bytes: number }, other: { readonly bytes: number }): number {
  return other.bytes - one.bytes;
}

function sum(parts: readonly Part[]): number {
  return parts.reduce((total, { bytes }) => total + bytes, 0);
}

function inKB(bytes: number): string {
  return (bytes / 1000).toFixed(1);
}
