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
  /** The request itself; its signal, which lives only as long as it does, says that who asked has left. */
  readonly sent: Request;
}

export async function receiveRequest(sent: Request, newId: string): Promise<ReceivedRequest> {
  const { pathname, search } = new URL(sent.url);
  const { method, headers } = sent;
  const brought = headers.get('x-request-id') ?? '';
  const id = /^[\w.-]{1,64}$/.test(brought) ? brought : newId;
  const bytes = new Uint8Array(await sent.arrayBuffer());
  return { id, method, path: pathname, query: search.slice(1), headers, bytes, sent };
}
