import fc from 'fast-check';

/** A request whose framing is right, whatever else it is. Texts hold one byte a character, and placeholders of secrets. */
export interface FuzzRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
  readonly chunked: boolean;
}

/** UTF-8, one byte a character. */
export function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/**
 * A request as it is sent.
 *
 * @param fill puts secrets where their placeholders are; without it they stay
 */
export function writtenRequest(request: FuzzRequest, fill = (text: string): string => text): string {
  const { method, target, headers, chunked } = request;
  const body = fill(request.body);
  const framing: [string, string][] = chunked
    ? [['Transfer-Encoding', 'chunked']]
    : body === ''
      ? []
      : [['Content-Length', String(body.length)]];
  const lines = [...headers, ...framing].map(([name, value]) => `${name}: ${value}\r\n`);
  return `${fill(`${method} ${target} HTTP/1.1\r\n${lines.join('')}`)}\r\n${chunked ? inChunks(body) : body}`;
}

const CHUNK = 700;

function inChunks(body: string): string {
  const chunks = body.match(new RegExp(`[^]{1,${CHUNK}}`, 'g')) ?? [];
  return [...chunks, ''].map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
}

const LONGEST_SHOWN = 4000;

/** Makes a text of bytes readable, for the report of a failure. */
export function readable(written: string): string {
  const shown = written
    .replaceAll(/(.{1,8}?)\1{40,}/gs, (all, part: string) => `${part}[… ${all.length} bytes of it]`)
    .replaceAll(/[^\r\n -~…]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`)
    .replaceAll('\r\n', '\\r\\n\n');
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}… (${written.length} bytes)` : shown;
}

/** Lets fast-check report a value as the request that it is. */
export function reported<Value extends object>(value: Value, write: (value: Value) => string): Value {
  return Object.assign(value, { [fc.toStringMethod]: () => `\n${readable(write(value))}\n` });
}
