import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'rolldown';
import { launchChromium } from 'tooling-chromium';
import { startFailingServer } from './failing-server.ts';
import { failures } from './failures.ts';
import { chromium, folder, installPlatforms } from './platforms.ts';
import { kinds } from './program.ts';
import { faultOf, markdownTable } from './table.ts';

const page = join(import.meta.dirname, '../../../packages/client/docs/platforms.md');
const generated = /(?<=<!-- written by pnpm runtimes --write -->\n).*?(?=\n## )/s;
// workerd and the others run it.
const footer = 'export default { test: async () => console.log(JSON.stringify(await report())) };';
const { values } = parseArgs({ options: { write: { type: 'boolean' }, messages: { type: 'boolean' } } });

const { origins, received } = await startFailingServer();
const tasks = failures.map(({ target = 'server', twist }, row) => ({ baseUrl: `${origins[target]}/${row}`, twist }));
await build({
  input: join(import.meta.dirname, 'program.ts'),
  platform: 'browser',
  transform: { define: { TASKS: JSON.stringify(tasks) } },
  output: { file: join(folder, 'program.mjs'), codeSplitting: false, footer },
});
await using browser = await launchChromium();
const platforms = [...(await installPlatforms()), chromium(browser, origins.server)];

const columns: string[][] = [];
const remarks = [`Tried with ${platforms.map(({ name, version }) => `${name} (${version})`).join(', ')}.`];
const faults: string[] = [];
for (const { name, run } of platforms) {
  received.clear();
  // oxlint-disable-next-line no-await-in-loop -- one after the other, as they share the server
  const reports = await run();
  const cells = failures.map((failure, row) => {
    const [read = '', payment] = kinds.map((kind) => {
      const report = reports[row]?.[kind];
      if (!report) throw new Error(`${name} did not make all calls.`);
      const count = received.get(`/${row}/${kind}`) ?? 0;
      const fault = faultOf(failure, kind, report, count);
      if (fault !== undefined) faults.push(`${name}, ${failure.name}, ${kind}: ${fault}`);
      if (values.messages) process.stdout.write(`${name}, ${failure.name}, ${kind}: ${report.message}\n`);
      return `\`${report.code}\`, ${report.outcome}${count > 1 ? ', sent twice' : ''}`;
    });
    return read === payment ? read : `${read}; payment: ${payment}`;
  });
  if (new Set(cells).size > 1) columns.push([name, ...cells]);
  else remarks.push(`${name}: ${cells[0]}: ${reports[0]?.read.message}`);
}

const table = markdownTable(['failure', ...failures.map(({ name }) => name)], columns);
process.stdout.write(table);
const text = await readFile(page, 'utf8');
const written = text.replace(generated, () => `\n${[table, ...remarks].join('\n')}\n`);
if (values.write) await writeFile(page, written);
else if (!text.includes(table)) faults.push('packages/client/docs/platforms.md has another table. Run with --write.');
if (faults.length > 0) throw new Error(faults.join('\n'));
