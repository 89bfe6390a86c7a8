import type { HrError } from '../hr-error.ts';

const METHOD_NOT_ALLOWED = 405;

/** Whether the service does not have an operation without path parameters, or not for this client. */
export function isUnavailable({ code, status }: HrError): boolean {
  return code === 'not-found' || code === 'forbidden' || status === METHOD_NOT_ALLOWED;
}
