import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { CompactSign, compactVerify } from 'jose';
import { z } from 'zod';
import { CommandError } from '../terminal/command-error.ts';

/** What a seal says: at this moment, the chain ended with this block. */
const Seal = z.object({ sealedAt: z.string(), block: z.int(), hash: z.string() });
export type Seal = z.output<typeof Seal>;

/** Signs a seal, as a JWS in one line. */
export function signSeal(seal: Seal, key: KeyObject): Promise<string> {
  return new CompactSign(Buffer.from(JSON.stringify(seal))).setProtectedHeader({ alg: 'EdDSA' }).sign(key);
}

/**
 * Reads the seals of a file, one a line; `undefined` for one that the key did not sign.
 *
 * @throws {CommandError} if the file cannot be read.
 */
export async function readSeals(file: string, key: KeyObject): Promise<(Seal | undefined)[]> {
  const text = await readFile(file, 'utf8').catch(() => refuse('--seals', file, 'cannot be read.'));
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '');
  return Promise.all(
    lines.map(async (line) => {
      try {
        const { payload } = await compactVerify(line.trim(), key, { algorithms: ['EdDSA'] });
        return Seal.parse(JSON.parse(Buffer.from(payload).toString()));
      } catch {
        return undefined;
      }
    }),
  );
}

const OPEN_TO_OTHERS = 0o077;

/** @throws {CommandError} if the file has no Ed25519 private key in PEM, or others can read it. */
export async function readPrivateKey(file: string): Promise<KeyObject> {
  const handle = await open(file).catch(() => refuse('--key', file, 'cannot be read.'));
  await using _ = handle;
  const { mode, uid } = await handle.stat();
  if ((mode & OPEN_TO_OTHERS) !== 0 && uid === process.getuid?.()) {
    refuse('--key', file, `contains a secret, but others can read it. Run: chmod 600 ${file}`);
  }
  return ed25519(file, createPrivateKey, await handle.readFile('utf8'));
}

/** @throws {CommandError} if the file has no Ed25519 public key in PEM. */
export async function readPublicKey(file: string): Promise<KeyObject> {
  return ed25519(
    file,
    createPublicKey,
    await readFile(file, 'utf8').catch(() => refuse('--key', file, 'cannot be read.')),
  );
}

function ed25519(file: string, parse: (pem: string) => KeyObject, pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    key = parse(pem);
  } catch {
    // It is none at all.
  }
  if (key?.asymmetricKeyType === 'ed25519') return key;
  return refuse('--key', file, 'has no Ed25519 key of this kind in PEM.');
}

function refuse(option: string, file: string, reason: string): never {
  throw new CommandError(`${option}: ${file} ${reason}`, 2);
}
