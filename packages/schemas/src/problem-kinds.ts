/** The kinds of problems of this API: status and title, by the last part of their type. */
export const problemKinds = {
  'invalid-request': { status: 400, title: 'The request is not valid' },
  unauthorized: { status: 401, title: 'A valid access token is needed' },
  forbidden: { status: 403, title: 'The access token does not allow this' },
  'not-found': { status: 404, title: 'There is nothing here' },
  'method-not-allowed': { status: 405, title: 'The method is not allowed here' },
  'not-acceptable': { status: 406, title: 'Only JSON can be answered' },
  'request-timeout': { status: 408, title: 'The request did not arrive in time' },
  conflict: { status: 409, title: 'The request conflicts with the present state' },
  'time-component-version': { status: 409, title: 'The time-recording component is too old' },
  'already-decided': { status: 409, title: 'The payment was decided before' },
  'idempotency-key-in-flight': { status: 409, title: 'A request with this key is being processed' },
  'content-too-large': { status: 413, title: 'The request body is too large' },
  'unsupported-media-type': { status: 415, title: 'The media type is not supported' },
  'idempotency-key-reused': { status: 422, title: 'The key was used for another request' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'headers-too-large': { status: 431, title: 'The request headers are too large' },
  'internal-error': { status: 500, title: 'The service failed' },
  unavailable: { status: 503, title: 'The service is not available now' },
} as const;

/** A kind of problem: the last part of its `type`. */
export type ProblemKind = keyof typeof problemKinds;

/** The URI that names a kind of problem, the `type` of the answer. */
export function problemType<Kind extends ProblemKind>(kind: Kind): `urn:hr-cloud:problem:${Kind}` {
  return `urn:hr-cloud:problem:${kind}`;
}
