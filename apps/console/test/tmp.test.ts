import { readFileSync } from 'node:fs';
import { readLabels } from '@hr/text/labels-file';
import { test } from 'vitest';
import { openPage, expectAccessible } from './open-page.ts';
import { startTestConsole } from './start-test-console.ts';
test('x', async () => {
  await using server = await startTestConsole();
  server.records.labels.change(
    readLabels(readFileSync('demo-labels.csv', 'utf8')).labels.map((after) => ({ before: null, after })),
    () => undefined,
  );
  for (const [index, path] of (process.env['P'] ?? '').split(' ').entries()) {
    await using opened = await openPage(server, {
      path,
      now: '2026-10-29T09:30:00+01:00',
      viewport: { width: Number(process.env['W'] ?? 1280), height: 1000 },
      colorScheme: (process.env['S'] ?? 'light') as never,
      locale: process.env['L'] ?? 'en-GB',
    });
    await opened.page.waitForTimeout(1000);
    await opened.page.screenshot({ path: `/tmp/dict-shot-${index}.png` });
    await expectAccessible(opened.page);
  }
});
