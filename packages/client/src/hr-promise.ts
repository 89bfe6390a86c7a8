/**
 * The head of a response.
 *
 * @sealed
 */
export interface HrResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The service's id of the request. Send it to the operator. */
  readonly requestId: string | undefined;
}

/**
 * A result, and the head of its response.
 *
 * @sealed
 */
export interface WithResponse<Data> {
  readonly data: Data;
  readonly response: HrResponse;
}

/**
 * The result of a call that has been sent.
 *
 * @sealed
 */
export interface HrPromise<Data> extends Promise<Data> {
  /**
   * Resolves with the result and the head of its response, or rejects like the promise itself. It sends nothing more.
   *
   * @example
   * ```ts
   * const { data, response } = await hr.persons.update('4711', { addresses: [] }).withResponse();
   * console.log(data?.id, response.status, response.requestId);
   * ```
   */
  withResponse(): Promise<WithResponse<Data>>;
}

/** Receives undefined when a request starts, and the head of its response. */
export type OnHead = (head: HrResponse | undefined) => void;

/** Starts a call, and keeps the head of its response. */
export function hrPromise<Data>(start: (onHead: OnHead) => Promise<Data>): HrPromise<Data> {
  let response: HrResponse | undefined;
  const promise = start((head) => {
    response = head;
  });
  return Object.assign(promise, {
    withResponse: async () => ({ data: await promise, response: response as HrResponse }),
  });
}
