import { problemKinds, problemType, type ProblemKind } from '@hr/schemas';
import type { ProviderState } from '@hr/testing/states';
import { expect } from 'vitest';
import type { Ask, Told } from './ask.ts';

/** Something that callers can rely on. */
export interface Case {
  readonly given?: readonly ProviderState[];
  /** One after the other. */
  readonly asks: readonly [Ask, ...Ask[]];
  /** What is answered to the last one: what is left out may be anything. */
  readonly told: Partial<Told>;
}

/** Cases by what they show. */
export type Cases = Readonly<Record<string, Case>>;

/** A case: what there is, what is told last, and what is asked for, one after the other. */
export function when(given: readonly ProviderState[], told: Case['told'], ...asks: Case['asks']): Case {
  return { given, asks, told };
}

/** The answer to a good request. */
export function ok(body: unknown): Partial<Told> {
  return { status: 200, headers: { 'content-type': 'application/json', ...safe }, body };
}

/** A problem, with these faults of the input: pointer and code. */
export function problem(kind: ProblemKind, ...faults: readonly string[]): Partial<Told> {
  return {
    status: problemKinds[kind].status,
    headers: expect.objectContaining({ 'content-type': 'application/problem+json', ...safe }) as Told['headers'],
    body: expect.objectContaining({
      type: problemType(kind),
      ...problemKinds[kind],
      requestId: 'the one of the header',
      ...(faults.length > 0 && { errors: faults.map(faultOf) }),
    }),
  };
}

const safe = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

function faultOf(fault: string): unknown {
  const [pointer, code] = fault.split(' ');
  return expect.objectContaining({ pointer, code });
}

/** An object with these members, and any others. */
export function having(members: object): unknown {
  return expect.objectContaining(members);
}
