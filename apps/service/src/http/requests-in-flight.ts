import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HttpProblem, problems } from '@hr/schemas/provider';

/** Far more than a client needs that waits for responses; the database answers ten at a time. */
export const MAX_REQUESTS_IN_FLIGHT = 200;
const RETRY_SECONDS = 1;

export type RequestsInFlight = ReturnType<typeof createRequestsInFlight>;

/** Limits the requests of a client that are handled at the same time, so that others get their turn. */
export function createRequestsInFlight() {
  const counts = new Map<string, number>();
  return {
    /**
     * Counts a request of a client until its response is closed.
     *
     * @throws {HttpProblem} `too-many-requests`.
     */
    add(clientId: string, response: ServerResponse): void {
      if ((counts.get(clientId) ?? 0) >= MAX_REQUESTS_IN_FLIGHT) {
        throw tooManyInFlight('requests', MAX_REQUESTS_IN_FLIGHT, 'A client');
      }
      countUntilClosed(counts, clientId, response);
    },
  };
}

/** Counts a response or a connection under a key until it closes. */
export function countUntilClosed(counts: Map<string, number>, key: string, counted: ServerResponse | Socket): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  counted.on('close', () => {
    const left = (counts.get(key) ?? 0) - 1;
    if (left > 0) counts.set(key, left);
    else counts.delete(key);
  });
}

/** The problem of one request too many at the same time. */
export function tooManyInFlight(name: 'pipelined' | 'requests', quota: number, sender: string, headers = {}) {
  const limit = { name, quota, remaining: 0, reset: RETRY_SECONDS };
  const detail = `${sender} may have ${quota} requests in flight. Wait for responses first.`;
  const problem = problems.tooManyRequests(limit, detail);
  return new HttpProblem(problem.code, detail, { headers: { ...problem.headers, ...headers } });
}
