import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { getSystemErrorMessage } from 'node:util';

const MAX_BYTES = 2 ** 28;

/** Why a file that is no text was not read. */
export const BINARY = 'binary';

/** The text of a file with its byte order mark, or why there is none: another encoding than UTF-8 would not survive. */
export function readText(file: string): { readonly text?: string; readonly unread?: string } {
  try {
    // Such as a video, whose files end in .ts too.
    if (statSync(file).size > MAX_BYTES) return { unread: 'larger than 256 MiB' };
    const bytes = readFileSync(file);
    if (isUtf8(bytes) && !bytes.includes(0)) return { text: bytes.toString('utf8') };
    // A file in UTF-16 begins with these.
    const isUtf16 = ['\xFF\xFE', '\xFE\xFF'].includes(bytes.toString('latin1', 0, 2));
    return { unread: bytes.includes(0) && !isUtf16 ? BINARY : 'not UTF-8' };
  } catch (error) {
    return { unread: getSystemErrorMessage((error as { readonly errno: number }).errno) };
  }
}
