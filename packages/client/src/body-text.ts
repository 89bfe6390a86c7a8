import type { Call } from './call.ts';
import { chunks } from './chunks.ts';

/** A whole body as text, without a byte order mark; undefined when it is not UTF-8 or has more bytes than allowed. */
export async function bodyText(response: Response, call: Call, maxBytes: number): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks(response, call)) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    pieces.push(chunk);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
  } catch {
    return undefined;
  }
}
