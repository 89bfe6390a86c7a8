import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { consumer, type Consumer } from '../src/pact/index.ts';
import type { RecordLine } from '../src/pact/interaction-records.ts';
import type { Interaction as PactInteraction } from '../src/contract/pact.ts';

interface HeldRequest {
  readonly method: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, readonly string[]>>;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body?: { readonly content: unknown };
  readonly matchingRules?: Readonly<Record<string, unknown>>;
}

interface HeldResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, readonly string[]>>;
  readonly body: { readonly content: unknown };
  readonly matchingRules: { readonly body?: Readonly<Record<string, { readonly matchers: readonly unknown[] }>> };
}

export interface Held extends Pick<PactInteraction, 'description' | 'providerStates' | 'comments'> {
  readonly request: HeldRequest;
  readonly response: HeldResponse;
}

/** A consumer of its own, and the interactions that ran. */
export function consumerWithParts(): { readonly hr: Consumer; readonly held: () => readonly Held[] } {
  const name = `consumer-${randomUUID()}`;
  return { hr: consumer({ name }), held: () => interactionsOf(name) };
}

function interactionsOf(name: string): Held[] {
  const { records } = inject('hr-contracts');
  const lines = readdirSync(records).flatMap((file) => readFileSync(join(records, file), 'utf8').trimEnd().split('\n'));
  const all = lines.map((line) => JSON.parse(line) as RecordLine);
  return all.flatMap((line) => ('interaction' in line && line.consumer === name ? [line.interaction as never] : []));
}
