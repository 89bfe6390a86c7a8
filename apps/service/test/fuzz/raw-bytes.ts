import fc from 'fast-check';
import { SENT } from './canaries.ts';
import { writtenRequest } from './fuzz-request.ts';
import { mostly, wordsOf } from './mostly.ts';
import { requests } from './requests.ts';

/** Lines of HTTP, one a line. */
function linesOf(text: string): string[] {
  const lines = text.trim().split('\n');
  return lines.map((line) => `${line.trim()}\r\n`);
}

/** What parsers of HTTP stumble over. */
const pieces = fc.oneof(
  wordsOf('\r\n \n \r \r\n\r\n \n\n \0 \t : \x80 \xff \x0b / ? # % 0 -1 HTTP/1.0 HTTP/2.0 HTTP/0.9'),
  fc.constantFrom(
    ...linesOf(`
      Content-Length: 5
      Content-Length: 0
      Content-Length: -1
      Content-Length: 99999999999999999999
      Content-Length: 5, 5
      Content-Length : 5
      Transfer-Encoding: chunked
      Transfer-Encoding: identity
      Transfer-Encoding: gzip, chunked
      Transfer-Encoding:\x0bchunked
      Host: other
      Connection: close
      Expect: 100-continue
      Expect: 200-ok
      GET /livez
      ffffffffffffffff
      X: ${'x'.repeat(20_000)}
    `),
    ' ',
    ' Transfer-Encoding: chunked\r\n',
    'Connection: Upgrade\r\nUpgrade: websocket\r\n',
    `X-Request-Id: a\r\nX-Request-Id: ${SENT} b\r\n`,
    'X: y\r\n'.repeat(2500),
    SENT,
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
    'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n',
    'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n',
    '0\r\n\r\n',
    '5;x=y\r\nhello\r\n',
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
  fc.constantFrom('', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'),
  fc.constantFrom('\r\n'.repeat(1000), 'GET '.repeat(1000), '\0'.repeat(10_000)),
);

/** Bytes for a bare connection: requests one after the other with bytes changed, cut off or put in, and garbage. */
export const rawBytes: fc.Arbitrary<string> = mostly(
  fc
    .tuple(
      fc.array(
        requests.map((one) => writtenRequest(one)),
        { minLength: 1, maxLength: 3 },
      ),
      fc.array(edits, { maxLength: 4 }),
    )
    .map(([written, changes]) => changes.reduce(edited, written.join(''))),
  9,
  garbage,
);
