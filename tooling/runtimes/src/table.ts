import type { Failure } from './failures.ts';
import type { Kind, Report } from './program.ts';

/** What is wrong with a report, whatever the platform knows; undefined if nothing is. */
export function faultOf(failure: Failure, kind: Kind, report: Report, received: number): string | undefined {
  const { outcome, message } = report;
  const status = Number(/^HTTP\/1\.1 (\d+) .*\r\n/.exec(failure.response ?? '')?.[1]);
  const possible = ['unknown'];
  // Bun repeats a read by itself, and reports the last attempt. A read has no effect.
  if (received === 0 || kind === 'read') possible.push('not-sent');
  if (received > 0 && status >= 200 && status < 300) possible.push('accepted');
  if (received > 0 && status >= 400 && status < 500 && status !== 408) possible.push('rejected');
  if (!possible.includes(outcome)) return `the outcome is ${outcome}, but can only be ${possible.join(' or ')}`;
  return /ekin|s3cret/i.test(message) ? `the message quotes the request: ${message}` : undefined;
}

/** A table of Markdown. Platforms share a column if they only differ in its head. */
export function markdownTable(first: readonly string[], platforms: readonly (readonly string[])[]): string {
  const alike = Map.groupBy(platforms, ([, ...cells]) => cells.join('\n'));
  const shared = Array.from(alike.values(), (columns) => {
    // Such as "Node.js 22, 24".
    const heads = columns.map(([head]) => head).join(', ');
    return [heads.replaceAll(/, (?:Node\.js|workerd) /g, ', '), ...(columns[0]?.slice(1) ?? [])];
  });
  const columns = [first, ...shared].map(([head = '', ...cells]) => {
    const width = Math.max(...[head, ...cells].map(({ length }) => length));
    return [head, '-'.repeat(width), ...cells].map((text) => text.padEnd(width));
  });
  return (columns[0] ?? []).map((_, row) => `| ${columns.map((cells) => cells[row]).join(' | ')} |\n`).join('');
}
