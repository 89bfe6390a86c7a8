import { AsyncLocalStorage } from 'node:async_hooks';

/** For whom requests are sent to the service. Its audit has all of it. */
export interface Acting {
  /** The id of the person. */
  readonly actingPerson: string;
  /** What the person did in the console. */
  readonly purpose: string;
  /** The same for all requests that one request of the person leads to. */
  readonly requestId: string;
}

/** Somebody saw data of the local copy. The service itself knows all other reads. */
export interface CopyRead extends Pick<Acting, 'actingPerson' | 'purpose'> {
  /** A UUID of version 7, by the clock of the service. */
  readonly id: string;
  /** Whose data it was; undefined if it was that of many. */
  readonly personId?: string | undefined;
  /** Number of persons. */
  readonly elements: number;
}

const acting = new AsyncLocalStorage<Acting>();

/** Does work for a person. What it sends with {@link fetchActing}, now or later, says so. */
export function actWith<T>(whom: Acting, work: () => T): T {
  return acting.run(whom, work);
}

/** The global `fetch`, with headers that say for whom it is. */
export const fetchActing: typeof fetch = async (input, init) => {
  const whom = acting.getStore();
  if (whom === undefined) return await fetch(input, init);
  const request = new Request(input, init);
  request.headers.set('hr-acting-person', whom.actingPerson);
  request.headers.set('hr-purpose', whom.purpose);
  request.headers.set('x-request-id', whom.requestId);
  return await fetch(request);
};
