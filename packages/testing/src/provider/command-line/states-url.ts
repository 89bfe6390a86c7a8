import { mediaTypeOf } from '../../contract/pact.ts';
import { stateNames } from '../../states/read-state.ts';
import type { VerifyOptions } from '../verify-options.ts';

/** Not of an interaction: the verification sets it up after one that submits a payment. */
const APPROVED = 'the submitted payments are approved';

/** Sets up provider states by an endpoint of the provider (docs/provider-states.md). Without one, only states fail. */
export function statesAt(
  url: string | undefined,
): Pick<VerifyOptions, 'states' | 'reset' | 'tearDown' | 'approvePayments'> {
  const post = (action: 'reset' | 'setup' | 'teardown', state = '', params: object = {}): Promise<void> =>
    postState(url, { action, params, state });
  return {
    states: Object.fromEntries(stateNames.map((name) => [name, (params: object) => post('setup', name, params)])),
    reset: () => (url === undefined ? undefined : post('reset')),
    async tearDown({ states }) {
      // oxlint-disable-next-line no-await-in-loop -- the last one first
      for (const [name, params] of states.toReversed()) await post('teardown', name, params);
    },
    ...(url !== undefined && { approvePayments: () => post('setup', APPROVED) }),
  };
}

async function postState(url: string | undefined, change: object): Promise<void> {
  const needed = 'an endpoint of the provider that accepts POST {"action", "state", "params"}';
  if (url === undefined) throw new Error(`no endpoint for provider states. Set --states-url to ${needed}.`);
  // A redirect, such as to a login page, does not set up a state.
  const request = { method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json' } } as const;
  const response = await fetch(url, { ...request, body: JSON.stringify(change) }).catch(() => undefined);
  await response?.body?.cancel();
  const isPage = mediaTypeOf(response?.headers.get('content-type') ?? '') === 'text/html';
  const got = isPage ? 'a page of HTML' : (response?.status ?? 'no response');
  if (isPage || !response?.ok) throw new Error(`POST ${url} got ${got}. Set --states-url to ${needed}.`);
}
