import { asText, being, dropped, renamed } from './member-changes.ts';
import { at, type Mutations } from './mutation.ts';

/** What can be wrong with the body of a problem. */
export const problemMutations: Mutations = {
  'the type of a problem says nothing': at('type', being('about:blank')),
  'the type of a problem is gone': at('type', dropped),
  'the status in a problem is a text': at('status', asText),
  'the request id is gone': at('requestId', dropped),
  'the pointer of a fault has another name': at('errors.*.pointer', renamed('path')),
  'the pointer of a fault is a JSONPath': at('errors.*.pointer', being('$.addresses[0].zipCode')),
  'the pointer of a fault is that of another place': at('errors.*.pointer', being('/other')),
  'the code of a fault is another': at('errors.*.code', being('required')),
  'the title of a problem is gone': at('title', dropped),
  'the detail of a problem has another name': at('detail', renamed('message')),
};
