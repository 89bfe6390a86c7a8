import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Machine } from './machine.ts';
import { clocks } from './units.ts';

/** How long a machine is gone: longer than it takes to replace it. */
const GONE_MS = 40_000;
const FULL_MS = 30_000;
const WITHOUT_MAJORITY_MS = 30_000;
const JUMPED_MS = 15_000;

/** Something that breaks. It resolves when all is as before again, though not yet caught up. */
export interface Fault {
  readonly name: string;
  /** How many seconds may pass without one successful request. */
  readonly allowed: number;
  /** `pick` takes one of several at random. */
  readonly happen: (cluster: Cluster, pick: Pick) => Promise<void>;
}

/** Takes an element at random. */
export type Pick = <Element>(of: readonly Element[]) => Element;

/** Until another machine has the key of the leader, and is promoted. */
const FAILOVER_SECONDS = 40;

/** Breaks a machine for some time, and mends it. */
function breaks(
  machineOf: (cluster: Cluster) => Promise<Machine>,
  happens: (machine: Machine) => Promise<void>,
  ends: (machine: Machine) => Promise<void> | void,
  ms = GONE_MS,
): Fault['happen'] {
  return async (cluster) => {
    const machine = await machineOf(cluster);
    await happens(machine);
    await sleep(ms);
    await ends(machine);
  };
}

const primary = (cluster: Cluster): Promise<Machine> => cluster.leader();
const standby = (cluster: Cluster): Promise<Machine> => cluster.synchronousStandby();
const crash = (machine: Machine): Promise<void> => machine.crash();
const boot = (machine: Machine): void => machine.boot();

export const faults: readonly Fault[] = [
  {
    name: 'the machine of the primary loses power',
    allowed: FAILOVER_SECONDS,
    happen: breaks(primary, crash, boot),
  },
  {
    name: 'the machine of the synchronous standby loses power',
    allowed: FAILOVER_SECONDS,
    happen: breaks(standby, crash, boot),
  },
  {
    name: 'the machine of the primary freezes',
    allowed: FAILOVER_SECONDS,
    happen: breaks(
      primary,
      (machine) => machine.freeze(),
      (machine) => machine.thaw(),
    ),
  },
  {
    name: 'the machine of the primary is cut off',
    allowed: FAILOVER_SECONDS,
    happen: breaks(
      primary,
      (machine) => machine.cutOff(),
      (machine) => machine.reconnect(),
    ),
  },
  {
    name: 'the disk of the primary is full',
    allowed: FAILOVER_SECONDS + FULL_MS / 1000,
    happen: breaks(
      primary,
      (machine) => machine.fillDisk(),
      (machine) => machine.freeDisk(),
      FULL_MS,
    ),
  },
  {
    name: 'PostgreSQL of the primary is killed',
    allowed: FAILOVER_SECONDS,
    async happen(cluster) {
      await (await cluster.leader()).killPostgres();
    },
  },
  {
    name: 'the primary is handed over to a standby',
    allowed: 20,
    async happen(cluster) {
      await cluster.switchOver();
    },
  },
  {
    name: 'etcd loses its majority',
    allowed: FAILOVER_SECONDS,
    async happen({ machines }, pick) {
      const spared = pick(machines);
      const lost = machines.filter((machine) => machine !== spared);
      await Promise.all(lost.map((machine) => machine.stopEtcd()));
      await sleep(WITHOUT_MAJORITY_MS);
      for (const machine of lost) machine.startEtcd();
    },
  },
  {
    name: 'PgBouncer is killed',
    allowed: 10,
    async happen({ pooler }) {
      pooler.kill();
      await Promise.resolve();
    },
  },
  {
    name: 'a process of the service is killed',
    allowed: 5,
    async happen({ services }, pick) {
      pick(services).kill();
      await Promise.resolve();
    },
  },
  {
    name: 'the service is replaced, one process after the other',
    allowed: 5,
    async happen(cluster) {
      await cluster.roll();
    },
  },
  {
    name: 'the clock of a process of the service jumps',
    allowed: 5,
    async happen(_, pick) {
      const clock = pick(clocks);
      await writeFile(clock, pick(['+7200', '-7200', '+90000', '-90000']));
      await sleep(JUMPED_MS);
      await writeFile(clock, '+0');
    },
  },
];
