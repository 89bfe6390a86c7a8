import { http, type HttpHandler } from 'msw/http';
import type { FakeHrCloud } from '../fake/fake-hr-cloud.ts';
import { HrTestingError } from '../hr-testing-error.ts';
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
export function hrCloudHandlers(fake: Pick<FakeHrCloud, 'answer'>, { baseUrl }: HrCloudHandlersOptions): HttpHandler[] {
  const url = httpUrl(baseUrl);
  if (!url) throw new HrTestingError('invalid-option', 'hrCloudHandlers: baseUrl is not a URL. Write http(s)://…');
  const { origin, pathname } = url;
  const base = pathname.replace(/\/+$/, '');
  const api = `${origin}${base}/api/`;
  return [
    http.all(
      ({ request }) => request.url.startsWith(api),
      ({ request }) => fake.answer(base === '' ? request : below(base, request)),
    ),
  ];
}

/** The request as the fake expects it, without the path of the base URL. */
function below(base: string, request: Request): Request {
  const { origin, pathname, search } = new URL(request.url);
  return new Request(`${origin}${pathname.slice(base.length)}${search}`, request);
}
