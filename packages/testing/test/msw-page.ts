import { createFakeHrCloud, hrCloudHandlers } from '@hr/testing/msw';
import { setupWorker } from 'msw/browser';

// What runs in the page: the calls of a program whose HR cloud is MSW's.

declare const location: { readonly origin: string };

/** Nobody answers there. */
const elsewhere = 'https://hr.example.com/cloud';
const headers = { authorization: 'Bearer contract-token', 'content-type': 'application/json' };

async function report(): Promise<object> {
  const fake = createFakeHrCloud({ persons: 5 });
  const worker = setupWorker(...hrCloudHandlers(fake, { baseUrl: elsewhere }));
  await worker.start({ quiet: true, onUnhandledFrame: 'bypass' });
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${elsewhere}${path}`, { headers, ...init });

  const form = { grant_type: 'client_credentials', client_id: fake.clientId, client_secret: fake.clientSecret };
  const token = await fetch(`${elsewhere}/api/oauth2/token`, { method: 'POST', body: new URLSearchParams(form) });
  const persons = (await (await ask('/api/v1/persons')).json()) as { id: string }[];
  fake.state('a person', { id: 'p/1 ü' });
  const patched = await ask('/api/v1/persons/p%2F1%20%C3%BC', {
    method: 'PATCH',
    body: '{"bankDetails":{"iban":"DE02120300000000202051"}}',
  });
  const refused = await ask('/api/v1/persons?since=2026-01-01');
  fake.failNext('listPersons', 'lost-request');
  const lost = await ask('/api/v1/persons').catch((error: unknown) => error);
  fake.failNext('listPersons', 'truncated-response');
  const truncated = await ask('/api/v1/persons')
    .then((answer) => answer.json())
    .catch((error: unknown) => error);
  const page = await fetch(location.origin);
  return {
    token: await token.json(),
    persons: persons.length,
    patched: await patched.json(),
    refused: [refused.status, refused.headers.get('content-type'), await refused.json()],
    lost: String(lost),
    isTruncatedAnError: truncated instanceof Error,
    page: await page.text(),
    requests: fake.requests.map(({ operation, status }) => [operation, status]),
  };
}

Object.assign(globalThis, { report: report() });
