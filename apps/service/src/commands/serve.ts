import type { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { explain } from './report-failure.ts';

export function addServeCommand(program: Command, terminal: Terminal): void {
  program
    .command('serve')
    .description('answer requests until SIGTERM or Ctrl-C')
    .action(async () => {
      const [{ readConfig, readEnvironments }, { createLog }, { startService, stopOnSignal }] = await Promise.all([
        import('../config/config.ts'),
        import('../config/create-log.ts'),
        import('../service.ts'),
      ]);
      const all = readEnvironments(terminal.env);
      const config = all?.config ?? readConfig(terminal.env);
      const log = createLog(config.logLevel);
      const service = all
        ? await (await import('../environments.ts')).startEnvironments(all, log, explain)
        : await startService(config, log);

      const readAgain = async (): Promise<void> => {
        try {
          const again = readEnvironments(terminal.env);
          if (again && 'apply' in service) await service.apply(again.environments);
          log.info('HR_ENVIRONMENTS is applied.');
        } catch (error) {
          log.error(`HR_ENVIRONMENTS is not applied: ${explain(error)}`);
        }
      };
      const onHangUp = (): void => void readAgain();
      if (all) process.on('SIGHUP', onHangUp);
      // Who reads the sentence may send the signal at once.
      const stopped = stopOnSignal(service);
      const many = all ? `, for ${all.environments.size} environments` : '';
      terminal.stderr.write(`The HR Cloud API is on ${service.url}${many}\n`);
      if (service.metricsUrl !== undefined) terminal.stderr.write(`Its metrics are on ${service.metricsUrl}\n`);
      await stopped;
      process.off('SIGHUP', onHangUp);
    });
}
