import { clientCredentials, isAuthError } from '@hr/auth';
import {
  API_SCOPE,
  INTROSPECTION_PATH,
  IntrospectionResponse,
  operations,
  Problem,
  problemType,
  type Operation,
  type OperationId,
} from '@hr/schemas';
import { exitCodes } from '../cli-error.ts';
import { fetchOnce, findIdempotency, TIMEOUT_MS, tryOperation } from '../try-operation.ts';
import { Fault, Skip, type Check, type Examination } from './examination.ts';

const { authentication, rejected } = exitCodes;

/** What the service grants: credentials, scope, each operation, and idempotency keys. */
export const accessChecks: readonly Check[] = [
  { name: 'credentials', needs: ['service'], run: checkCredentials },
  { name: 'scope', needs: ['credentials'], run: checkScope },
  ...Object.entries<Operation>(operations).map(([id, { path }]) => ({
    name: id,
    // That an endpoint is not there does not say whether the service has any.
    needs: ['scope', ...(path.includes('{endpointId}') ? ['listWebhookEndpoints'] : [])],
    run: (examination: Examination) => checkOperation(examination, id as OperationId),
  })),
  { name: 'idempotency', needs: ['submitVariablePayment'], run: checkIdempotency },
];

async function checkCredentials(examination: Examination): Promise<string> {
  const { baseUrl, clientId, proof, unusedSecret } = examination.profile;
  if (proof === undefined) throw new Skip(`${unusedSecret}. To go on, pass --client-secret-file`);
  if ('clientSecret' in proof && /^\s|\s$/.test(proof.clientSecret)) {
    const remedy = 'Remove it from HR_CLIENT_SECRET or the profile.';
    throw new Fault('the client secret begins or ends with white space', remedy, authentication);
  }
  const what = 'clientSecret' in proof ? 'secret' : 'key';
  const { signal } = examination.context;
  try {
    const auth = clientCredentials({ baseUrl, clientId, ...proof, timeout: TIMEOUT_MS });
    examination.token = await auth.getToken({ signal });
  } catch (error) {
    if (!isAuthError(error)) throw error;
    // The credentials are right then; the next check says what is wrong.
    if (error.code === 'invalid-scope') return `the service knows ${clientId} and its ${what}`;
    if (error.code !== 'invalid-client') throw error;
    const remedy =
      what === 'key'
        ? 'Ask the operator whether the public key is registered.'
        : 'Copy both again and run: hr auth login. If that fails, ask the operator for a new secret.';
    throw new Fault(`the service rejects the client id ${clientId} or its ${what}`, remedy, authentication);
  }
  return `the service knows ${clientId} and its ${what}`;
}

async function checkScope({ token, profile, context }: Examination): Promise<string> {
  const { proof } = profile;
  if (proof === undefined) throw new Skip('there is no token');
  const remedy = `Ask the operator to grant the scope ${API_SCOPE}.`;
  if (!token) throw new Fault(`the scope ${API_SCOPE} is not granted`, remedy, authentication);
  // A key would have to sign for it.
  if ('privateKey' in proof) return `${API_SCOPE} as requested`;
  const form = { token: token.value, client_id: profile.clientId, client_secret: proof.clientSecret };
  const init = { method: 'POST', body: new URLSearchParams(form) };
  const response = await fetchOnce(profile.baseUrl, INTROSPECTION_PATH, context.signal, init);
  const { data } = IntrospectionResponse.safeParse(await response.json().catch(() => undefined));
  // Introspection is an extension; the token was issued for this scope.
  if (data?.scope === undefined) return `${API_SCOPE} as requested`;
  if (data.scope.split(' ').includes(API_SCOPE)) return data.scope;
  throw new Fault(`the token does not have the scope ${API_SCOPE}`, remedy, authentication);
}

async function checkOperation(examination: Examination, id: OperationId): Promise<string> {
  const { profile, token, context } = examination;
  if (!token) throw new Skip('there is no token');
  const response = await tryOperation(profile.baseUrl, token.value, id, context.signal);
  const { status } = response;
  const problem = await problemOf(response);
  if (status === 401 || status === 403) {
    const why = status === 401 ? 'the service rejects the token' : 'not granted to this client';
    throw new Fault(why, `Ask the operator to grant ${id} to ${profile.clientId}.`, authentication);
  }
  if (problem?.type === problemType('time-component-version')) {
    const { installed = 'unknown', required = 'unknown' } = problem;
    const fault = `the time-recording component is too old: installed ${installed}, required ${required}`;
    throw new Fault(fault, 'Ask the operator to update it.', rejected);
  }
  if (status === 429) throw new Fault('too many requests', 'Run it again in a minute.');
  const operation: Operation = operations[id];
  // The made-up person or contract is not there, which is all that 404 says of the others.
  const isMissing = status === 404 && !operation.path.includes('{');
  if (isMissing && operation.extension) throw new Skip('the service does not have it');
  if (status === 405 || status === 501 || isMissing) {
    throw new Fault(`the service does not have it (${status})`, 'Ask the operator which version it is.');
  }
  if (status >= 500) throw new Fault(`status ${status}`, 'Try again later, or ask the operator.');
  return 'granted';
}

async function checkIdempotency({ token, profile, context }: Examination): Promise<string> {
  if (!token) throw new Skip('there is no token');
  const found = await findIdempotency(profile.baseUrl, token.value, context.signal);
  if (!found) throw new Fault('no response', 'Run it again.', exitCodes.network);
  if (profile.idempotency === undefined || found === profile.idempotency) {
    return found === 'provider-supports' ? 'supported' : 'not supported: a payment that is sent again may pay twice';
  }
  throw new Fault(
    found === 'unsupported'
      ? 'the profile says that the service supports Idempotency-Key, but it ignores the header'
      : 'the service supports Idempotency-Key, and the profile says that it does not',
    'Run hr auth login again. It finds out.',
  );
}

/** The problem of an error response. Any other body is not read, as a list may be long. */
async function problemOf(response: Response): Promise<Problem | undefined> {
  if (!response.ok) return Problem.safeParse(await response.json().catch(() => undefined)).data;
  await response.body?.cancel();
  return undefined;
}
