import { http, type HttpHandler } from 'msw/http';
import type { FakeHrCloud } from '../fake/fake-hr-cloud.ts';
import { invalidOption } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';

/** The base URL of the fake HR cloud. */
export interface HrCloudHandlersOptions {
  /** The base URL that your program uses, such as `https://hr.example.com`. It may have a path. */
  readonly baseUrl: string;
}

/**
 * Creates MSW handlers that pass requests to the API and its token endpoint to a fake HR cloud, in Node.js and in
 * browsers. They ignore other requests to this URL.
 *
 * @throws {HrTestingError} `invalid-option` if `baseUrl` is not a URL.
 * @example
 * const fake = createFakeHrCloud();
 * const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
 */
export function hrCloudHandlers(fake: Pick<FakeHrCloud, 'fetch'>, { baseUrl }: HrCloudHandlersOptions): HttpHandler[] {
  const parsed = httpUrl(baseUrl);
  if (!parsed) throw invalidOption('hrCloudHandlers: baseUrl is not a URL. Write http(s)://…');
  const { origin, pathname } = parsed;
  const base = pathname.replace(/\/+$/, '');
  const api = `${origin}${base}/api/`;
  return [
    http.all(
      ({ request }) => request.url.startsWith(api),
      async ({ request }) => {
        // The fake knows only the paths of the API.
        const url = origin + request.url.slice(origin.length + base.length);
        const own = base === '' ? request : new Request(url, request);
        // The API has no OPTIONS, so it is a preflight.
        const response = request.method === 'OPTIONS' ? new Response(null, { status: 204 }) : await fake.fetch(own);
        if (response.type !== 'error') allowOrigins(response.headers, request.headers);
        return response;
      },
    ),
  ];
}

// The pages of jsdom and happy-dom send preflights through MSW, those of happy-dom without their headers.
function allowOrigins(response: Headers, request: Headers): void {
  response.set('access-control-allow-origin', '*');
  response.set('access-control-expose-headers', '*');
  response.set('access-control-allow-methods', '*');
  response.set('access-control-allow-headers', request.get('access-control-request-headers') ?? '*');
}
