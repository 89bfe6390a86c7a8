import type { AccessToken } from '@hr/auth';
import { operations } from '@hr/schemas';
import { exitCodes, type ExitCode } from '../cli-error.ts';
import type { Context } from '../context.ts';
import type { Profile } from '../profile.ts';
import { fetchOnce } from '../try-operation.ts';
import { proxyFor, type Proxy } from './proxy-for.ts';

/** What the checks of one run share. */
export class Examination {
  readonly context: Context;
  /** The first check sets it, without which no other one runs. */
  profile!: Profile;
  /** Set once the service has issued it. */
  token: AccessToken | undefined;
  #probe: Promise<Response> | undefined;

  constructor(context: Context) {
    this.context = context;
  }

  get url(): URL {
    return new URL(this.profile.baseUrl);
  }

  /** The proxy of the environment for the address. */
  get proxy(): Proxy | undefined {
    return proxyFor(this.url, this.context.terminal.env);
  }

  /** The response to a request without a token. The body is not read. */
  probe(): Promise<Response> {
    return (this.#probe ??= this.fetch(operations.listPersons.path).then(async (response) => {
      await response.body?.cancel();
      return response;
    }));
  }

  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return fetchOnce(this.profile.baseUrl, path, this.context.signal, init);
  }
}

/** The code of a failed connection, such as `ECONNREFUSED`. The rest of the error may quote the request. */
export function systemCode(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error) {
    if ('code' in error && typeof error.code === 'string' && /^[A-Z][A-Z0-9_]+$/.test(error.code)) return error.code;
    if (error.name === 'TimeoutError') return 'ETIMEDOUT';
    error = error.cause;
  }
  return 'no code';
}

/** One thing that `hr doctor` looks at. */
export interface Check {
  readonly name: string;
  /** The checks without which this one makes no sense. */
  readonly needs: readonly string[];
  /**
   * Resolves with what it found, if all is well.
   *
   * @throws {Fault} If it is not.
   * @throws {Skip} If there is nothing to look at.
   */
  readonly run: (examination: Examination) => Promise<string>;
}

/** What is wrong, and what to do about it. */
export class Fault extends Error {
  readonly remedy: string;
  readonly exitCode: ExitCode;

  constructor(message: string, remedy: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** Why a check has nothing to look at. */
export class Skip extends Error {}
