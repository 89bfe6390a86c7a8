import { mediaTypeOf } from '../../contract/pact.ts';
import { stateNames } from '../../states/read-state.ts';
import { cannotRun } from '../interaction-run.ts';
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
  const remedy = 'Set --states-url to an endpoint of the provider that accepts POST {"action", "state", "params"}.';
  if (url === undefined) throw cannotRun(`no endpoint for provider states. ${remedy}`);
  // A redirect, such as to a login page, does not set up a state.
  const request = { method: 'POST', redirect: 'manual', headers: { 'content-type': 'application/json' } } as const;
  const response = await fetch(url, { ...request, body: JSON.stringify(change) }).catch(() => undefined);
  await response?.body?.cancel();
  const isPage = mediaTypeOf(response?.headers.get('content-type') ?? '') === 'text/html';
  if (response?.ok && !isPage) return;
  const { status } = response ?? {};
  // Of an endpoint that does what its address says.
  const isRefused = !isPage && status !== undefined && status >= 400 && status !== 404 && status !== 405;
  const got = isPage ? 'a page of HTML' : (status ?? 'no response');
  const refused = `The endpoint refused it: read its log. "hr-contracts states" shows the parameters.`;
  throw cannotRun(`POST ${url} got ${got}. ${isRefused ? refused : remedy}`);
}
