import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Only this user may read what the process writes, above all a database folder.
process.umask(0o077);

// A reader such as `head` that has read enough is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// The next start reuses the compiled modules. A folder that cannot be written to is ignored.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)));

const { runCommand } = await import('./commands/service-program.ts');
await runCommand(process.argv.slice(2), process);
