import type { ServerResponse } from 'node:http';
import { HttpProblem, problems } from '@hr/schemas/provider';

/** Far more than a client needs that waits for responses; the database answers ten at a time. */
export const MAX_REQUESTS_IN_FLIGHT = 200;
const RETRY_SECONDS = 1;

/** Limits the requests of a client that are handled at the same time, so that others get their turn. */
export interface RequestsInFlight {
  /**
   * Counts a request of a client until its response is closed.
   *
   * @throws {HttpProblem} `too-many-requests`.
   */
  add(clientId: string, response: ServerResponse): void;
}

export function createRequestsInFlight(): RequestsInFlight {
  const counts = new Map<string, number>();
  return {
    add(clientId, response) {
      const count = counts.get(clientId) ?? 0;
      if (count >= MAX_REQUESTS_IN_FLIGHT) throw tooManyInFlight('requests', MAX_REQUESTS_IN_FLIGHT, 'A client');
      counts.set(clientId, count + 1);
      response.once('close', () => {
        const left = (counts.get(clientId) ?? 0) - 1;
        if (left > 0) counts.set(clientId, left);
        else counts.delete(clientId);
      });
    },
  };
}

/** The problem of one request too many at the same time. */
export function tooManyInFlight(name: 'pipelined' | 'requests', quota: number, sender: string, headers = {}) {
  const limit = { name, quota, remaining: 0, reset: RETRY_SECONDS };
  const detail = `${sender} may have ${quota} requests in flight. Wait for responses first.`;
  const problem = problems.tooManyRequests(limit, detail);
  return new HttpProblem(problem.code, detail, { headers: { ...problem.headers, ...headers } });
}
