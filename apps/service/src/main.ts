import { runCommand } from './commands/run-command.ts';

// What is written here, a database folder above all, is for nobody but this user to read.
process.umask(0o077);

// A reader such as `head` that has enough is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

await runCommand(process.argv.slice(2), process);
