import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Flushed, Ready } from './serve-twice.ts';

/** Two servers on one database, in a process of their own: they are to be measured, and not who asks them. */
export interface TwoServers extends Ready {
  /** Lets everything that was read be written down. */
  flush(): Promise<Flushed>;
  stop(): Promise<void>;
}

export async function startTwoServers(databaseUrl: string): Promise<TwoServers> {
  const child = fork(new URL('serve-twice.ts', import.meta.url), [databaseUrl], {
    execArgv: ['--conditions=@hr/source'],
  });
  const said = async <Message>(): Promise<Message> => ((await once(child, 'message')) as [Message])[0];
  const ready = await said<Ready>();
  return {
    ...ready,
    async flush() {
      const flushed = said<Flushed>();
      child.send('flush');
      return flushed;
    },
    async stop() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}
