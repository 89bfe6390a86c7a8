import { AsyncLocalStorage } from 'node:async_hooks';

/** Returns the id for all requests to the service that one request of a person leads to. */
type RequestId = () => string | undefined;

const acting = new AsyncLocalStorage<RequestId>();

/** Does work for a person. What it sends with {@link fetchActing}, now or later, has the id. */
export function actWith<T>(requestId: RequestId, work: () => T): T {
  return acting.run(requestId, work);
}

/** The global `fetch`. The audit of the service then has the id of the request of the person who acts. */
export const fetchActing: typeof fetch = async (input, init) => {
  const requestId = acting.getStore()?.();
  if (requestId === undefined) return await fetch(input, init);
  const request = new Request(input, init);
  request.headers.set('x-request-id', requestId);
  return await fetch(request);
};
