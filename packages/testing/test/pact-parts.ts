import { randomUUID } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import type { ContractPart } from '../src/pact/contract-part.ts';
import { consumer } from '../src/pact/index.ts';
import type { Consumer } from '../src/pact/index.ts';
import type { PactInteraction } from '../src/contract/pact-interaction.ts';

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

export interface Held extends PactInteraction {
  readonly request: HeldRequest;
  readonly response: HeldResponse;
}

/** A consumer of its own, and what its contract holds. */
export function consumerWithParts(): { readonly hr: Consumer; readonly held: () => readonly Held[] } {
  const name = `consumer-${randomUUID()}`;
  return { hr: consumer({ name }), held: () => partsOf(name).map(({ interaction }) => interaction as never) };
}

function partsOf(name: string): ContractPart[] {
  const { parts } = inject('hr-contracts');
  const files = readdirSync(parts).filter((file) => file.endsWith('.part.json'));
  const all = files.map((file) => JSON.parse(readFileSync(join(parts, file), 'utf8')) as ContractPart);
  return all.filter(({ consumer: of }) => of === name);
}
