import type { makeConsumerPact } from '@pact-foundation/pact-core';
import { pactCoreUrl } from '../contract/pact-core.ts';

/** Pact's core, which reports nothing to its makers. */
export async function loadPactCore(): Promise<{ readonly makeConsumerPact: typeof makeConsumerPact }> {
  process.env['PACT_DO_NOT_TRACK'] = 'true';
  return (await import(pactCoreUrl())) as { readonly makeConsumerPact: typeof makeConsumerPact };
}
