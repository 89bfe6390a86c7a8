import { createHrClient } from '../src/index.ts';
import { openOutbox } from '../src/mirror/index.ts';

const [baseUrl = '', file = '', source = '', token = ''] = process.argv.slice(2);
const hr = createHrClient({ baseUrl, auth: async () => token });
using outbox = openOutbox({ file, source });
for (;;) {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  await outbox.reconcile(hr);
}
