import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { FastifyRequest } from 'fastify';
import type { RequestObserver } from '../http/request-observer.ts';

/** Seconds, from the read of a single record to a list of everybody. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The status of a request whose connection ended before its answer. */
const NO_ANSWER = 0;

const TOO_MANY_REQUESTS = 429;

/** The operation of what is none: an unknown address, the documentation page, the checks of health. */
const NO_OPERATION = 'none';

/** The environment of a measure; none where a process has one, or where it is that of the process. */
export interface EnvironmentLabels {
  readonly environment?: string;
}

/**
 * Counts requests, of each environment. No label has a value that a request chose: there are as many as environments,
 * operations and statuses.
 */
export function requestMetrics(
  registry: Registry,
  environments: readonly 'environment'[],
): (labels: EnvironmentLabels) => RequestObserver {
  const registers = [registry];
  const counter = <Label extends string>(
    name: string,
    help: string,
    ...labelNames: Label[]
  ): Counter<Label | 'environment'> =>
    new Counter({ name, help, labelNames: [...environments, ...labelNames], registers });
  const inFlight = new Gauge({
    name: 'hr_http_requests_in_flight',
    help: 'Requests whose response has not ended.',
    labelNames: environments,
    registers,
  });
  const requests = counter(
    'hr_http_requests_total',
    'Requests that have ended, by the status of the answer; 0 where the connection ended before it.',
    'operation',
    'status',
  );
  const durations = new Histogram({
    name: 'hr_http_request_duration_seconds',
    help: 'Time from the head of a request to the end of its answer.',
    labelNames: [...environments, 'operation'],
    buckets: DURATION_BUCKETS,
    registers,
  });
  const aborted = counter(
    'hr_http_requests_aborted_total',
    'Requests whose connection ended before their answer did.',
    'operation',
  );
  const failed = counter(
    'hr_http_requests_failed_total',
    'Requests in which something failed here: the answer says so, or was broken off.',
    'operation',
  );
  const limited = counter(
    'hr_http_requests_limited_total',
    'Requests that were refused with 429, by the limit that was used up.',
    'limit',
  );
  const lists = new Gauge({
    name: 'hr_lists_open',
    help: 'Lists that are being sent.',
    labelNames: environments,
    registers,
  });
  const listBytes = counter('hr_list_sent_bytes_total', 'Bytes of JSON that were sent of lists.', 'operation');

  return (labels) => ({
    began({ raw, request }) {
      inFlight.inc(labels);
      // Fastify pipes what is streamed, and only lists are.
      raw.once('pipe', (list) => {
        lists.inc(labels);
        raw.once('close', () => lists.dec(labels));
        const sent = listBytes.labels({ ...labels, operation: operationOf(request) });
        list.on('data', (bytes: Buffer) => sent.inc(bytes.length));
      });
    },
    ended(end) {
      const operation = operationOf(end.reply.request);
      inFlight.dec(labels);
      requests.inc({ ...labels, operation, status: end.status ?? NO_ANSWER });
      durations.observe({ ...labels, operation }, end.durationMs / 1000);
      if (end.aborted) aborted.inc({ ...labels, operation });
      if (end.failed) failed.inc({ ...labels, operation });
      if (end.status !== TOO_MANY_REQUESTS) return;
      // The name of the limit in the header of the response.
      const [, limit = 'none'] = /^"(\w+)"/.exec(String(end.reply.getHeader('ratelimit'))) ?? [];
      limited.inc({ ...labels, limit });
    },
    refused({ status }) {
      if (status !== undefined) requests.inc({ ...labels, operation: NO_OPERATION, status });
    },
  });
}

function operationOf({ routeOptions }: FastifyRequest): string {
  return routeOptions.config.operation ?? NO_OPERATION;
}
