import type { Stage } from './stage.ts';

/** Types what must not succeed, and ends the rehearsal when it does, or fails for another reason. */
export async function ensureRefused({ maintainer }: Stage, line: string, reason: string): Promise<void> {
  const said = await maintainer(line).catch((error: unknown) => String(error));
  if (!said.includes(reason)) throw new Error(`${line} must be refused, as "${reason}", and was not: ${said}`);
}
