import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import { clientCredentials } from '@hr/auth';
import { createHrClient, isHrError, type HrClient } from '@hr/client';
import { openMirror } from '@hr/client/mirror';
import { company } from '@hr/testing/fixtures';
import { demoRecords } from 'service/src/demo/load-demo.ts';
import { Cluster } from './cluster.ts';
import type { Machine } from './machine.ts';
import { BASE_URL, FOLDER } from './places.ts';
import { postgresqlFolder } from './programs.ts';
import { until } from './wait.ts';

const PERSONS = 300;
const DELETED = 100;
const RECOVERY_SECONDS = 600;

type Report = (line: string) => void;

/** Restores a cluster to the second before a bad import, as the page on scaling says, and checks what clients see. */
export async function restore(report: Report): Promise<void> {
  await using cluster = await Cluster.start(report);
  const members = [...company({ persons: PERSONS, months: 3, timeDays: 3 })];
  await cluster.import(members.flatMap(demoRecords));
  const hr = await newClient(cluster);
  using mirror = openMirror({ file: join(FOLDER, 'mirror.db'), source: 'restore' });
  const [contract = ''] = members[0]?.payrollContractIds ?? [];
  const payment = { billingPeriod: '2026-01', compensationComponentId: 'BONUS', amount: 1, idempotencyKey: 'before' };
  await hr.payroll.submitVariablePayment(contract, payment);
  const before = await hr.persons.list();
  await mirror.sync(hr, 'persons');

  await sleep(2000);
  const [moment] = await cluster.sql<{ now: string }>('select now()::text');
  await sleep(2000);
  report('Importing what is wrong: everybody has the same name, and a third is deleted');
  await cluster.import(
    members.map(({ person: { id } }, index) =>
      index < DELETED ? { kind: 'deletePerson', id } : { kind: 'person', id, firstName: 'Wrong', lastName: 'Wrong' },
    ),
  );
  await mirror.sync(hr, 'persons', { maxShrink: 1 });
  const { cursor } = await hr.changes.get({});

  const started = performance.now();
  await restoreTo(cluster, moment?.now ?? '', report);
  const seconds = Math.round((performance.now() - started) / 1000);

  const faults: string[] = [];
  if (!isDeepStrictEqual(await hr.persons.list(), before)) faults.push('The persons are not those of before.');
  const payments = await cluster.service(['payments', 'list', '--idempotency-key', 'before', '--json']);
  if ((JSON.parse(payments) as unknown[]).length !== 1) faults.push(`The payment is not there once: ${payments}`);
  faults.push(...(await cursorFaults(hr, cursor)));
  await mirror.sync(hr, 'persons');
  if (!isDeepStrictEqual([...mirror.persons()], before)) faults.push('The mirror is not healed.');
  await cluster.service(['audit', 'verify']);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  process.stdout.write(
    `Restored in ${seconds} s: ${before.length} persons and the payment are as before, the cursor is refused, and the mirror is whole again.\n`,
  );
}

async function restoreTo(cluster: Cluster, moment: string, report: Report): Promise<void> {
  const [first, ...others] = cluster.machines as readonly [Machine, ...Machine[]];
  report('Stopping the service and Patroni');
  await Promise.all(cluster.services.map((unit) => unit.stop()));
  // The leader last: it archives what it has written.
  const leader = await cluster.leader();
  for (const machine of [...cluster.machines.filter((each) => each !== leader), leader]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await machine.stopPatroni();
  }
  report(`Restoring ${first.name} to ${moment}`);
  await first.run([
    'pgbackrest',
    '--stanza=hr',
    '--delta',
    '--type=time',
    `--target=${moment}`,
    '--target-action=promote',
    'restore',
  ]);
  const data = join(first.state, 'data');
  const pgCtl = [
    join(postgresqlFolder(), 'pg_ctl'),
    '-D',
    data,
    '-w',
    '-t',
    '600',
    '-l',
    join(first.state, 'restore.log'),
  ];
  // Nobody may write before the others have a copy.
  await first.run([...pgCtl, '-o', `-c listen_addresses= -c unix_socket_directories=${first.state}`, 'start']);
  const psql = [
    join(postgresqlFolder(), 'psql'),
    '-h',
    first.state,
    '-U',
    'postgres',
    '-Atc',
    'select pg_is_in_recovery()',
  ];
  await until('The end of the recovery', async () => (await first.run(psql)).trim() === 'f', RECOVERY_SECONDS);
  await first.run([...pgCtl, 'stop']);
  report('Starting Patroni with the restored database');
  await first.run(['patronictl', '-c', join(first.state, 'patroni.yml'), 'remove', 'hr'], 'hr\nYes I am aware\n');
  first.startPatroni();
  await cluster.leader();
  for (const machine of others) {
    // oxlint-disable-next-line no-await-in-loop -- two
    await machine.run(['rm', '-rf', join(machine.state, 'data')]);
    machine.startPatroni();
  }
  await cluster.untilReplicated();
  report('Starting the service');
  for (const unit of cluster.services) unit.start();
  await cluster.untilServed();
}

async function newClient(cluster: Cluster): Promise<HrClient> {
  const auth = clientCredentials({ baseUrl: BASE_URL, ...(await cluster.createClient('restore', 'api:use')) });
  return createHrClient({ baseUrl: BASE_URL, auth, idempotency: 'provider-supports' });
}

/** A cursor of the time that is undone says nothing any more. */
async function cursorFaults(hr: HrClient, after: string): Promise<string[]> {
  try {
    await hr.changes.get({ after });
    return ['A cursor from after the restored moment is taken.'];
  } catch (error) {
    if (isHrError(error) && error.problem?.kind === 'cursor-expired') return [];
    return [`A cursor from after the restored moment: ${String(error)}`];
  }
}
