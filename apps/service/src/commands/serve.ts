import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('answer requests until SIGTERM or Ctrl-C')
    .action(async () => {
      const [{ readConfig }, { createLog }, { startService, stopOnSignal }] = await Promise.all([
        import('../config/config.ts'),
        import('../config/create-log.ts'),
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
