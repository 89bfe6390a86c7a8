import type { CDPSession, Page } from 'playwright-core';

/** A request to the backend that a test answers instead of it. */
interface Intercepted {
  respond(json: unknown, status?: number): Promise<void>;
  fail(): Promise<void>;
  /** Lets the backend respond, or with a function that changes its text. */
  forward(change?: (text: string) => string): Promise<void>;
}

type Handler = (request: Intercepted) => unknown;

interface Interceptor {
  readonly session: CDPSession;
  readonly handlers: Map<string, Handler>;
}

const interceptors = new WeakMap<Page, Interceptor>();

/**
 * Answers the requests of a page to the backend by their path, such as `/bff/people/*`, until the page is closed; the
 * last handler that matches counts. `page.route` would let each page fetch and compile all scripts again.
 *
 * @param handler - `undefined` lets the backend respond again.
 */
export async function intercept(page: Page, pathname: string, handler?: Handler): Promise<void> {
  const interceptor = interceptors.get(page) ?? (await startInterceptor(page));
  interceptor.handlers.delete(pathname);
  if (handler) interceptor.handlers.set(pathname, handler);
}

/** Lets the backend respond to all requests of a page. */
export async function stopIntercepting(page: Page): Promise<void> {
  const interceptor = interceptors.get(page);
  interceptors.delete(page);
  await interceptor?.session.detach();
}

async function startInterceptor(page: Page): Promise<Interceptor> {
  const session = await page.context().newCDPSession(page);
  const handlers = new Map<string, Handler>();
  const changes = new Map<string, (text: string) => string>();
  session.on('Fetch.requestPaused', ({ requestId, networkId = requestId, request, ...event }) => {
    const fulfill = async (text: string, responseCode = 200): Promise<void> => {
      const responseHeaders = [{ name: 'content-type', value: 'application/json' }];
      const body = Buffer.from(text).toString('base64');
      await unlessGone(session.send('Fetch.fulfillRequest', { requestId, responseCode, responseHeaders, body }));
    };
    const forward: Intercepted['forward'] = async (change) => {
      if (change) changes.set(networkId, change);
      await unlessGone(session.send('Fetch.continueRequest', { requestId, interceptResponse: change !== undefined }));
    };
    const fail = async (): Promise<void> => {
      await unlessGone(session.send('Fetch.failRequest', { requestId, errorReason: 'Failed' }));
    };
    const change = changes.get(networkId);
    changes.delete(networkId);
    const fulfillChanged = async (): Promise<void> => {
      const response = await unlessGone(session.send('Fetch.getResponseBody', { requestId }));
      if (!response || !change) return;
      const text = Buffer.from(response.body, response.base64Encoded ? 'base64' : 'utf8').toString();
      await fulfill(change(text), event.responseStatusCode);
    };
    const handler = [...handlers].findLast(([pathname]) => new URLPattern({ pathname }).test(request.url))?.[1];
    if (change) void fulfillChanged();
    else if (handler)
      handler({ respond: async (json, status) => await fulfill(JSON.stringify(json), status), fail, forward });
    else void forward();
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/bff/*' }] });
  const interceptor = { session, handlers };
  interceptors.set(page, interceptor);
  return interceptor;
}

/** The page may have gone on, which ends its requests. */
async function unlessGone<Result>(sent: Promise<Result>): Promise<Result | undefined> {
  return await sent.catch(() => undefined);
}
