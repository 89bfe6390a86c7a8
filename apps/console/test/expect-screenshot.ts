import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pixelmatch from 'pixelmatch';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { expect } from 'vitest';

const gallery = join(import.meta.dirname, '../screenshots');
const reports = join(import.meta.dirname, '../reports');
/** Another processor smooths edges a little differently. */
const MAX_DIFFERENT_SHARE = 0.002;

/** Expects a page to look as in the gallery. A picture that the gallery does not have is added to it. */
export async function expectScreenshot(page: Page, name: string): Promise<void> {
  const file = join(gallery, `${name}.png`);
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.evaluate(async () => await document.fonts.ready);
  // The pointer is over what the test used last.
  await page.mouse.move(0, 0);
  // A wrong digit has too few pixels to be seen below.
  const text = await page.locator('#root').innerText();
  await expect(`${text}\n`).toMatchFileSnapshot(join(import.meta.dirname, `screen-texts/${name}.txt`));
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  if (!existsSync(file)) {
    expect(process.env['CI'], `${file} is missing. Run the test outside of CI to add it.`).toBeUndefined();
    await writeFile(file, bytes);
    return;
  }
  // Only npm's Chromium draws the same pixels everywhere.
  if (process.platform !== 'linux' || process.arch !== 'x64') return;
  const picture = await readFile(file);
  if (picture.equals(bytes)) return;
  const [actual, expected] = [PNG.sync.read(bytes), PNG.sync.read(picture)];
  const { width, height } = expected;
  const isSameSize = actual.width === width && actual.height === height;
  const different = isSameSize ? pixelmatch(actual.data, expected.data, undefined, width, height) : width * height;
  if (different <= width * height * MAX_DIFFERENT_SHARE) return;
  await mkdir(reports, { recursive: true });
  const report = join(reports, `${name}.png`);
  await writeFile(report, bytes);
  expect.fail(
    `${name} looks different (${different} pixels): see ${report}. If that is right, delete ${file} and run the test again.`,
  );
}
