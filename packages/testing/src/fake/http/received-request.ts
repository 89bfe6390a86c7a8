/** A request that has been received whole. */
export interface ReceivedRequest {
  readonly id: string;
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  /** As it was sent, without the question mark. */
  readonly query: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

export async function receiveRequest(request: Request, newId: string): Promise<ReceivedRequest> {
  const { pathname, search } = new URL(request.url);
  const { method, headers } = request;
  const brought = headers.get('x-request-id') ?? '';
  const id = /^[\w.-]{1,64}$/.test(brought) ? brought : newId;
  const bytes = new Uint8Array(await request.arrayBuffer());
  return { id, method, path: pathname, query: search.slice(1), headers, bytes };
}
