import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { company } from '@hr/testing/fixtures';

// Sends responses from memory: a list of persons, the absences of one of them, and tokens.

const TEMPLATES = 1000;
const CHUNK_BYTES = 64 * 1024;

const members = [...company({ persons: TEMPLATES, months: 27, timeDays: 5 })];
const elements = members.map(({ person }) => JSON.stringify(person));
const absences = JSON.stringify(members.find((member) => member.absences.length > 0)?.absences);
const block = Buffer.from(elements.join(','));

/** The list in chunks that end anywhere, as those of a network do. */
function* list(persons: number): Generator<Uint8Array> {
  const rest = Buffer.from(elements.slice(0, persons % TEMPLATES).join(','));
  const blocks = [...Array.from({ length: Math.floor(persons / TEMPLATES) }, () => block), rest];
  yield Buffer.from('[');
  for (const [index, bytes] of blocks.filter(({ length }) => length > 0).entries()) {
    if (index > 0) yield Buffer.from(',');
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
  }
  yield Buffer.from(']');
}

let tokenRequests = 0;
const server = createServer(({ url = '' }, response) => {
  // The address begins with the number of persons.
  const [, persons, path = ''] = /^\/(\d+)\/api\/(\S+)$/.exec(url) ?? [];
  response.setHeader('content-type', 'application/json');
  if (path === 'v1/persons') {
    Readable.from(list(Number(persons))).pipe(response);
  } else if (path === 'oauth2/token') {
    tokenRequests++;
    response.end(JSON.stringify({ access_token: `token-${tokenRequests}`, token_type: 'Bearer', expires_in: 3600 }));
  } else {
    response.end(path === 'token-requests' ? JSON.stringify(tokenRequests) : absences);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
process.once('disconnect', () => process.exit());
