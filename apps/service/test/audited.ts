import { expect } from 'vitest';
import type { TestService } from './service.ts';

/** Reads are written once a second, and each look for them is a request. */
const POLL_MS = 250;

/** An event as operators read it. */
export interface ListedEvent {
  readonly id: string;
  readonly at: string;
  readonly actor: string;
  readonly actingPerson?: string;
  readonly purpose?: string;
  readonly access: string;
  readonly operation: string;
  readonly requestId: string;
  readonly personId?: string;
  readonly payrollContractId?: string;
  readonly objectId?: string;
  readonly elements: number;
  readonly fields?: readonly string[];
  readonly status?: number;
}

/** The events of the audit that fit a query. */
export async function auditEvents(service: TestService, query: Readonly<Record<string, string>> = {}) {
  const path = `/operator/v1/audit-events?${new URLSearchParams(query).toString()}`;
  const { status, body } = await service.send('GET', path, { scope: 'operator' });
  expect(status).toBe(200);
  return body as ListedEvent[];
}

/** The event of a request, once it is written down. */
export async function auditedAs(service: TestService, requestId: string): Promise<ListedEvent> {
  let events: ListedEvent[] = [];
  await expect
    .poll(
      async () => {
        events = await auditEvents(service, { requestId });
        return events.length;
      },
      { interval: POLL_MS },
    )
    .toBe(1);
  return events[0] as ListedEvent;
}
