import { createHrClient } from '../src/index.ts';
import { isMirrorError, openMirror, type Mirror } from '../src/mirror/index.ts';

// Syncs a growing list until it fails, and prints what a reader and a consumer of the log see after each attempt. The
// caller limits the size of its files.
const [, , file = ''] = process.argv;
const PERSONS = 100;
const MAX_VERSION = 6;

let version = 0;
const hr = createHrClient({
  baseUrl: 'https://hr.example.com',
  auth: async () => 'token',
  retry: { limit: 0 },
  async fetch() {
    const persons = Array.from({ length: PERSONS }, (_, index) => ({
      id: `p${index}`,
      employeeNumber: `${version}`,
      jobTitle: 'x'.repeat(version * 500),
    }));
    return Response.json(persons);
  },
});

/** The error that an action ends with. */
async function errorOf(action: () => unknown): Promise<string> {
  try {
    await action();
    return 'none';
  } catch (error) {
    return isMirrorError(error) ? error.code : `${(error as Error).name}: ${(error as Error).message}`;
  }
}

let consumed = 0;
async function consume(mirror: Mirror): Promise<void> {
  for await (const change of mirror.changes({ consumer: 'test' })) {
    consumed = Math.max(
      consumed,
      change.kind === 'reset' ? versionOf(mirror) : Number(mirror.person(change.id)?.person.employeeNumber),
    );
  }
}

/** The one version that all persons have; 0 without persons. */
function versionOf(mirror: Mirror): number {
  const versions = new Set(Array.from(mirror.persons(), ({ employeeNumber }) => Number(employeeNumber)));
  if (versions.size > 1) throw new Error('The persons are of several versions.');
  return versions.values().next().value ?? 0;
}

let mirror: Mirror | undefined;
const attempts: object[] = [];
const opening = await errorOf(() => {
  mirror = openMirror({ file, source: 'little space' });
});
if (mirror) {
  const opened = mirror;
  while (version < MAX_VERSION) {
    version++;
    // oxlint-disable no-await-in-loop -- one attempt after the other
    const sync = await errorOf(() => opened.sync(hr, 'persons', { full: true }));
    const seen = versionOf(opened);
    const log = await errorOf(() => consume(opened));
    attempts.push({ version, sync, seen, log, consumed });
    // oxlint-enable no-await-in-loop
  }
}
process.stdout.write(JSON.stringify({ opening, attempts }));
