import type { Command } from 'commander';
import type { Service } from '../service.ts';
import type { Terminal } from './terminal.ts';

/** Adds `serve`. */
export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('answer requests until SIGTERM or Ctrl-C')
    .action(async () => {
      const [{ readConfig }, { createLog }, { startService }] = await Promise.all([
        import('../config.ts'),
        import('../create-log.ts'),
        import('../service.ts'),
      ]);
      const config = readConfig(terminal.env);
      const service = await startService(config, createLog(config.logLevel));
      // Who reads the sentence may send the signal at once.
      const stopped = stopOnSignal(service);
      terminal.stderr.write(`The HR Cloud API is on ${service.url}\n`);
      if (service.metricsUrl !== undefined) terminal.stderr.write(`Its metrics are on ${service.metricsUrl}\n`);
      await stopped;
    });
}

/** Stops the service gracefully at the first SIGTERM or SIGINT; the second ends the process at once. */
export async function stopOnSignal(service: Service): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1));
  await service.stop();
}
