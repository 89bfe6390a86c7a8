import { connect, type Socket } from 'node:net';
import type { TestService } from './service.ts';

/** Opens a bare connection to a service. A test sees that it breaks in what it reads. */
export function openSocket({ baseUrl }: TestService, options?: { readonly allowHalfOpen: boolean }): Socket {
  return connect({ port: Number(new URL(baseUrl).port), host: '127.0.0.1', ...options }).on('error', () => {});
}

/** The statuses of the answers in what came on a connection. */
export function statusesIn(answers: string): number[] {
  return [...answers.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
}
