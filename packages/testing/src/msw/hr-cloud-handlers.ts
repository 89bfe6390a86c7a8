import { http } from 'msw/http';
import type { HttpHandler } from 'msw/http';
import type { FakeHrCloud } from '../fake/fake-hr-cloud.ts';
import { HrTestingError } from '../hr-testing-error.ts';
import { httpUrl } from '../http-url.ts';

/** Where the fake HR cloud is to be. */
export interface HrCloudHandlersOptions {
  /** The base address that the program under test uses, such as `https://hr.example.com`. */
  readonly baseUrl: string;
}

/**
 * Handlers for MSW by which a fake HR cloud answers all requests to the API and its token endpoint, in Node and in
 * browsers. Other requests to this address are left alone.
 *
 * @throws {HrTestingError} `invalid-option` when the base address is no URL.
 * @example
 * const fake = createFakeHrCloud();
 * const server = setupServer(...hrCloudHandlers(fake, { baseUrl: 'https://hr.example.com' }));
 */
export function hrCloudHandlers(fake: Pick<FakeHrCloud, 'answer'>, { baseUrl }: HrCloudHandlersOptions): HttpHandler[] {
  const url = httpUrl(baseUrl);
  if (!url) throw new HrTestingError('invalid-option', 'hrCloudHandlers: baseUrl is no address: write http(s)://…');
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

/** The request as the fake knows it, which has no path before its own. */
function below(base: string, request: Request): Request {
  const { origin, pathname, search } = new URL(request.url);
  return new Request(`${origin}${pathname.slice(base.length)}${search}`, request);
}
