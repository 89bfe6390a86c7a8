import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { coalesce } from './coalesce.ts';
import type { Database } from './database.ts';
import { pooled, type PostgresServers } from './postgres-servers.ts';

const CHANNEL = 'hr_commits';
/** So long after a notification, commits are told together: PostgreSQL takes one notification at a time. */
const TOGETHER_MS = 10;
const RETRY_MS = 1000;

/** The commits of a process, which are told to its listeners. */
export function createCommits() {
  const commits = new EventEmitter<{ commit: [] }>().setMaxListeners(0);
  return {
    tell: (): void => void commits.emit('commit'),
    hasListeners: (): boolean => commits.listenerCount('commit') > 0,
    onCommit: (listener: () => void): (() => void) => {
      commits.on('commit', listener);
      return () => commits.off('commit', listener);
    },
  };
}

/**
 * The commits of all processes on a database. Who commits notifies the others afterwards: as a part of the transaction it
 * would make all of them commit one after the other.
 *
 * @param notify runs a statement
 */
export function createCommitSignal(servers: PostgresServers, notify: (statement: string) => Promise<unknown>) {
  const { tell, onCommit, hasListeners } = createCommits();
  const connections = servers.pool({ size: 1, session: {} });
  let ending: AbortController | undefined;
  let listening = Promise.resolve();

  /** Listens until the connection breaks. */
  async function listenOnce(signal: AbortSignal): Promise<void> {
    const { client, release } = await connections.connect({ signal });
    try {
      // A pooler hands the connection on to others, and the notifications with it.
      if (pooled.has(client)) return;
      client.on('notification', tell);
      await client.query(`listen ${CHANNEL}`);
      // What came before was not heard.
      tell();
      await once(client, 'end', { signal });
    } finally {
      client.off('notification', tell);
      release(true);
    }
  }

  async function listen(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      // oxlint-disable no-await-in-loop -- one connection after the other
      await listenOnce(signal).catch(() => {});
      await setTimeout(RETRY_MS, undefined, { signal, ref: false }).catch(() => {});
      // oxlint-enable no-await-in-loop
    }
  }

  const notifySoon = coalesce(async () => {
    await notify(`notify ${CHANNEL}`).catch(() => {});
    await setTimeout(TOGETHER_MS, undefined, { ref: false });
  });

  return {
    announce(): void {
      tell();
      void notifySoon();
    },
    /** It has a connection only as long as there is a listener. */
    onCommit: (listener: () => void): (() => void) => {
      const end = onCommit(listener);
      if (!ending) {
        const { signal } = (ending = new AbortController());
        listening = listening.then(() => listen(signal));
      }
      return () => {
        end();
        if (hasListeners()) return;
        ending?.abort();
        ending = undefined;
      };
    },
    async close(): Promise<void> {
      ending?.abort();
      await listening;
      await connections.end();
    },
  } satisfies Pick<Database, 'onCommit'> & Record<string, unknown>;
}
