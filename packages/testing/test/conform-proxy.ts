import { isDeepStrictEqual } from 'node:util';
import { jsonOf } from '../src/contract/pact.ts';
import { createFakeHrCloud, type FakeHrCloud } from '../src/msw/index.ts';
import { startProvider } from './provider-under-test.ts';

/** A request to the proxy, and the response of the fake. */
export interface Passing {
  readonly fake: FakeHrCloud;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  // oxlint-disable typescript/no-explicit-any -- tests change JSON of any form
  /** The JSON of the request. */
  sent: any;
  status: number;
  readonly headers: Headers;
  /** The JSON of the response. */
  json: any;
  // oxlint-enable typescript/no-explicit-any
  /** Sent instead of the JSON. */
  text?: string;
  /** Sends no response. */
  isHeld?: true;
}

/** What makes a proxy in front of the fake wrong. */
export interface Fault {
  /** Changes the request. */
  readonly before?: (passing: Passing) => void;
  /** Changes the response. */
  readonly after?: (passing: Passing) => unknown;
}

const DAYS_BEFORE = 10;

/** Starts an HR cloud that is wrong in one way. Its data was recorded ten days ago. */
export async function startWrongCloud({ before, after }: Fault = {}, persons = 10) {
  let lag = DAYS_BEFORE * 86_400_000;
  const fake = createFakeHrCloud({ persons, seed: 1, clock: () => Date.now() - lag });
  lag = 0;
  const provider = await startProvider((response, { method, path: url, headers, body }) => {
    const { pathname: path, searchParams: query } = new URL(url, 'http://localhost');
    const passing: Passing = {
      fake,
      method,
      path,
      query,
      sent: jsonOf(body),
      status: 0,
      headers: new Headers(),
      json: undefined,
    };
    before?.(passing);
    // What is not changed is sent as it is, as a number can have several notations.
    const isChanged = !isDeepStrictEqual(passing.sent, jsonOf(body));
    const text = isChanged ? JSON.stringify(passing.sent) : body;
    const sent = Object.entries(headers).filter(
      ([name]) => !['connection', 'transfer-encoding', 'content-length', 'host'].includes(name),
    );
    const search = query.size > 0 ? `?${query.toString()}` : '';
    const request = new Request(`http://localhost${path}${search}`, {
      method,
      headers: Object.fromEntries(sent) as Record<string, string>,
      ...(text && { body: text }),
    });
    void (async () => {
      const answer = await fake.fetch(request);
      Object.assign(passing, { status: answer.status, headers: answer.headers, json: await answer.json() });
      after?.(passing);
      if (passing.isHeld) return;
      response.writeHead(passing.status, Object.fromEntries(passing.headers));
      response.end(passing.text ?? JSON.stringify(passing.json));
    })();
  });
  const { clientId, clientSecret } = fake;
  return { fake, provider, options: { baseUrl: provider.url, clientId, clientSecret, seed: 1 } };
}
