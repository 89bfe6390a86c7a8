import { HrTestingError } from '../../hr-testing-error.ts';
import { httpUrl } from '../../http-url.ts';

/** A Pact broker. */
export interface Broker {
  readonly url: string;
  /** Its bearer token; without one for a broker that wants none. */
  readonly token?: string;
}

/**
 * The broker that `PACT_BROKER_BASE_URL` and `PACT_BROKER_TOKEN` name; `undefined` where there is none.
 *
 * @throws {HrTestingError} `invalid-option` when the address is none.
 * @example
 * const broker = brokerFromEnvironment();
 * const source = broker ? { broker: { ...broker, branch: 'main' } } : { folders: ['pacts'] };
 */
export function brokerFromEnvironment(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Broker | undefined {
  const { PACT_BROKER_BASE_URL: url, PACT_BROKER_TOKEN: token } = env;
  if (!url) return undefined;
  if (!httpUrl(url))
    throw new HrTestingError(
      'invalid-option',
      'PACT_BROKER_BASE_URL is not the address of a broker: write http(s)://…',
    );
  return { url: url.replace(/\/+$/, ''), ...(token && { token }) };
}
