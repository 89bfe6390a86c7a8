/** One HTTP/1.1 answer as it came. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

interface ReadAnswer {
  readonly answer: HttpAnswer;
  /** What came behind it. */
  readonly rest: Buffer;
}

const HEAD_END = '\r\n\r\n';
const LINE_END = '\r\n';

/**
 * Reads an answer from the beginning of bytes, strictly as RFC 9112 writes it, so that nothing that was smuggled into
 * one stays unseen. `undefined` where it is not complete.
 *
 * @param withoutBody whether HEAD was asked
 */
export function readAnswer(bytes: Buffer, withoutBody: boolean): ReadAnswer | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [start = '', ...lines] = bytes.toString('latin1', 0, end).split(LINE_END);
  const status = Number(/^HTTP\/1\.1 (\d{3}) [ -~]*$/.exec(start)?.[1]);
  if (Number.isNaN(status)) throw new Error('The status line is malformed.');
  const headers = readHeaders(lines);
  const rest = bytes.subarray(end + HEAD_END.length);
  if (withoutBody || status < 200 || status === 204 || status === 304) {
    return { answer: { status, headers, body: Buffer.of() }, rest };
  }
  const body = readBody(headers, rest);
  return body && { answer: { status, headers, body: body.bytes }, rest: body.rest };
}

function readHeaders(lines: readonly string[]): Headers {
  const headers = new Headers();
  for (const line of lines) {
    const [, name = '', value = ''] = /^([!#$%&'*+.^`|~\w-]+): ([ -~]*)$/.exec(line) ?? [];
    if (name === '') throw new Error('A header is malformed.');
    if (headers.has(name)) throw new Error(`The header ${name} comes twice.`);
    headers.set(name, value);
  }
  return headers;
}

interface ReadBody {
  readonly bytes: Buffer;
  readonly rest: Buffer;
}

function readBody(headers: Headers, bytes: Buffer): ReadBody | undefined {
  const [length, coding] = [headers.get('content-length'), headers.get('transfer-encoding')];
  if (coding === 'chunked' && length === null) return readChunks(bytes);
  if (coding !== null || length === null || !/^\d+$/.test(length)) throw new Error('The length is malformed.');
  if (bytes.length < Number(length)) return undefined;
  return { bytes: bytes.subarray(0, Number(length)), rest: bytes.subarray(Number(length)) };
}

function readChunks(bytes: Buffer): ReadBody | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf(LINE_END, at);
    if (lineEnd < 0) return undefined;
    const line = bytes.toString('latin1', at, lineEnd);
    if (!/^[\da-f]+$/i.test(line)) throw new Error('The size of a chunk is malformed.');
    const begin = lineEnd + LINE_END.length;
    const end = begin + Number.parseInt(line, 16);
    if (bytes.length < end + LINE_END.length) return undefined;
    if (bytes.toString('latin1', end, end + LINE_END.length) !== LINE_END) {
      throw new Error('A chunk does not end where it says.');
    }
    at = end + LINE_END.length;
    if (end === begin) return { bytes: Buffer.concat(chunks), rest: bytes.subarray(at) };
    chunks.push(bytes.subarray(begin, end));
  }
}
