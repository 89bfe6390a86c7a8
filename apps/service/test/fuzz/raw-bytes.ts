import fc from 'fast-check';
import { SENT } from './canaries.ts';
import { writtenRequest } from './fuzz-request.ts';
import { requests } from './requests.ts';

/** What parsers of HTTP stumble over. */
const pieces = fc.oneof(
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\n\n',
    '\0',
    ' ',
    '\t',
    ':',
    '\x80',
    '\xff',
    '\x0b',
    '/',
    '?',
    '#',
    '%',
    '0',
    '-1',
  ),
  fc.constantFrom(
    'Content-Length: 5\r\n',
    'Content-Length: 0\r\n',
    'Content-Length: -1\r\n',
    'Content-Length: 99999999999999999999\r\n',
    'Content-Length: 5, 5\r\n',
    'Content-Length : 5\r\n',
    'Transfer-Encoding: chunked\r\n',
    'Transfer-Encoding: identity\r\n',
    'Transfer-Encoding: gzip, chunked\r\n',
    'Transfer-Encoding:\x0bchunked\r\n',
    ' Transfer-Encoding: chunked\r\n',
    'Host: other\r\n',
    'Connection: close\r\n',
    'Connection: Upgrade\r\nUpgrade: websocket\r\n',
    'Expect: 100-continue\r\n',
    'Expect: 200-ok\r\n',
    `X-Request-Id: a\r\nX-Request-Id: ${SENT} b\r\n`,
    'HTTP/1.0',
    'HTTP/2.0',
    'HTTP/0.9',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    'GET /livez\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    '0\r\n\r\n',
    'ffffffffffffffff\r\n',
    '5;x=y\r\nhello\r\n',
    `X: ${'x'.repeat(20_000)}\r\n`,
    'X: y\r\n'.repeat(2500),
    SENT,
  ),
  fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((byte) => String.fromCodePoint(byte)), maxLength: 12 }),
);

interface Edit {
  /** Where, in thousandths of the whole. */
  readonly at: number;
  /** How much is taken away there, in bytes. */
  readonly taken: number;
  readonly put: string;
}

const edits: fc.Arbitrary<Edit> = fc.record({
  at: fc.integer({ min: 0, max: 1000 }),
  taken: fc.oneof(fc.constant(0), fc.nat({ max: 4 }), fc.nat({ max: 200 })),
  put: fc.oneof(fc.constant(''), pieces),
});

function edited(text: string, { at, taken, put }: Edit): string {
  const begin = Math.floor((text.length * at) / 1000);
  return text.slice(0, begin) + put + text.slice(begin + taken);
}

const garbage = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
  fc.array(pieces, { maxLength: 12 }).map((each) => each.join('')),
  fc.constantFrom(
    '',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    '\r\n'.repeat(1000),
    'GET '.repeat(1000),
    '\0'.repeat(10_000),
  ),
);

/** Bytes for a bare connection: requests one after the other with bytes changed, cut off or put in, and garbage. */
export const rawBytes: fc.Arbitrary<string> = fc.oneof(
  {
    arbitrary: fc
      .tuple(
        fc.array(
          requests.map((request) => writtenRequest(request)),
          { minLength: 1, maxLength: 3 },
        ),
        fc.array(edits, { maxLength: 4 }),
      )
      .map(([written, changes]) => changes.reduce(edited, written.join(''))),
    weight: 8,
  },
  { arbitrary: garbage, weight: 1 },
);
