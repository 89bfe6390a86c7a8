/** The place of an error. */
export interface ErrorPlace {
  /** The path of the request, without its query. */
  readonly instance?: string;
  readonly requestId: string;
}

/**
 * An error that ends a request with a response of its own. Throw it anywhere while you handle a request, and send
 * `status`, `headers` and `body()` where you catch it.
 *
 * @example
 * if (error instanceof HttpError) console.log(error.status, error.body({ requestId: 'run-7' }));
 */
export abstract class HttpError extends Error {
  /** The kind of the error. */
  abstract readonly code: string;
  abstract readonly status: number;
  abstract readonly contentType: string;
  /** Headers of the response beyond `Content-Type`, in lower case. */
  abstract readonly headers: Readonly<Record<string, string>>;
  /** The JSON of the response. */
  abstract body(place: ErrorPlace): object;
}
