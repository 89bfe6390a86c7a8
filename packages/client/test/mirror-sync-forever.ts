import { createHrClient } from '../src/index.ts';
import { openMirror } from '../src/mirror/index.ts';
import { appendChanges } from './mirror-told.ts';

// Syncs one collection after the other, and reads its changes, until it is killed.
const [, , file = '', baseUrl = ''] = process.argv;
const hr = createHrClient({ baseUrl, auth: async () => 'token', retry: { limit: 0 } });
process.stdout.write('opening');
const mirror = openMirror({ file, source: 'killed' });
for (let run = 0; ; run++) {
  // oxlint-disable no-await-in-loop -- one sync at a time
  await mirror.sync(hr, run % 2 === 0 ? 'persons' : 'bookings', { full: run % 4 < 2 });
  await appendChanges(mirror, `${file}.changes`);
  // oxlint-enable no-await-in-loop
}
