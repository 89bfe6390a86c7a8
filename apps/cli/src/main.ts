#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { homeFolder, isOpenToOthers } from './home-folder.ts';

// Only this user may read what the process writes.
process.umask(0o077);

// Without a listener, a reader such as `head` that has read enough, or a log on a full disk, would end the process, in
// the middle of payments too.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE' || process.exitCode) return;
  process.exitCode = 1;
  process.stderr.write(`hr: Cannot write the output (${error.code}).\n`);
});
process.stderr.on('error', () => {});

// The next start reuses the compiled modules. They are code, so others must not write them, as in the default folder
// below /tmp.
const home = homeFolder(process);
if (!isOpenToOthers(home)) enableCompileCache(join(home, 'cache'));

const interrupt = new AbortController();
// Ctrl-C, a supervisor and a closed terminal.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(name, () => {
    // The second one does not wait.
    if (interrupt.signal.aborted) process.exit(130);
    interrupt.abort();
  });
}

// As one file, hr is a script, which has no await here.
// oxlint-disable-next-line typescript/no-floating-promises -- run() reports every failure
import('./program.ts').then(({ run }) => run(process.argv.slice(2), process, interrupt.signal));
