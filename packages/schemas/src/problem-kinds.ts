/** The kinds of problems of this API: status and title, by the last part of their `type`. */
export const problemKinds = {
  'invalid-request': { status: 400, title: 'Invalid request' },
  unauthorized: { status: 401, title: 'Missing or invalid access token' },
  forbidden: { status: 403, title: 'Not allowed with this access token' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'not-acceptable': { status: 406, title: 'Only JSON is available' },
  'request-timeout': { status: 408, title: 'Request timeout' },
  conflict: { status: 409, title: 'Conflict with the current state' },
  'time-component-version': { status: 409, title: 'The time-recording component is too old' },
  'already-decided': { status: 409, title: 'The payment is already decided' },
  'idempotency-key-in-flight': { status: 409, title: 'A request with this key is in flight' },
  'changes-expired': { status: 410, title: 'Changes are no longer kept since this date' },
  'cursor-expired': { status: 410, title: 'The cursor has expired' },
  'precondition-failed': { status: 412, title: 'Precondition failed' },
  'content-too-large': { status: 413, title: 'Request body too large' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'misdirected-request': { status: 421, title: 'Nothing is served at this host' },
  'idempotency-key-reused': { status: 422, title: 'The key belongs to another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'Request headers too large' },
  'internal-error': { status: 500, title: 'Internal error' },
  unavailable: { status: 503, title: 'Service unavailable' },
} as const;

/** A kind of problem: the last part of its `type`. */
export type ProblemKind = keyof typeof problemKinds;

/** The URI of a kind of problem, the `type` of the response. */
export function problemType<Kind extends ProblemKind>(kind: Kind): `urn:hr-cloud:problem:${Kind}` {
  return `urn:hr-cloud:problem:${kind}`;
}
