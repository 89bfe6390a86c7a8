import type { OperationId } from '@hr/schemas';
import type { OperationPath } from '../backend/operation-paths.ts';
import { shellQuoted, typescriptOf, urlEncoded } from './quote.ts';

/** A call of the API, with values of its parameters. */
export interface ApiRequest {
  /** Its id in the operation table, such as `listPersons`. */
  readonly operation: OperationId;
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** Where a copied request goes, and as which client. */
interface RequestTarget {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly operations: Readonly<Record<OperationId, OperationPath>>;
}

/** A request as a text that people run. Secrets are variables of their environment. */
export type RequestText = (request: ApiRequest, target: RequestTarget) => string;

/** The forms of a request. */
export const requestTexts = {
  curl: (request, target) => curl(withBody(request, target), target),
  hr: (request, target) => hr(withBody(request, target), target),
  typescript: (request, target) => typescript(withBody(request, target), target),
} as const satisfies Record<string, RequestText>;

/** An operation that has a body is invalid without one. One without properties changes nothing. */
function withBody(request: ApiRequest, { operations }: RequestTarget): ApiRequest {
  if (request.body !== undefined || !operations[request.operation].hasBody) return request;
  return { ...request, body: {} };
}

const NEXT_LINE = ' \\\n  ';

function curl({ operation, path = {}, query = {}, body }: ApiRequest, target: RequestTarget): string {
  const { method, path: template, queryNames } = target.operations[operation];
  const base = target.baseUrl.replace(/\/+$/, '');
  const search = given(query).map(([name, value]) => `${urlEncoded(queryNames[name] ?? name)}=${urlEncoded(value)}`);
  const url = base + filled(template, path) + (search.length > 0 ? `?${search.join('&')}` : '');
  const token = [
    `TOKEN=$(curl -sS --fail ${shellQuoted(`${base}/api/oauth2/token`)}`,
    '-d grant_type=client_credentials -d scope=api:use',
    `--data-urlencode ${shellQuoted(`client_id=${target.clientId}`)}`,
    `--data-urlencode "client_secret=$HR_CLIENT_SECRET" | sed 's/.*"access_token" *: *"\\([^"]*\\)".*/\\1/')`,
  ];
  const call = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} ${shellQuoted(url)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(body === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `--data-raw ${shellQuoted(JSON.stringify(body))}`]),
  ];
  return `${token.join(NEXT_LINE)}\n${call.join(NEXT_LINE)}\n`;
}

/** The arguments of the command for an operation, or of `hr api` for what no command does exactly. */
function hr(request: ApiRequest, target: RequestTarget): string {
  const { operation, path = {}, query = {}, body } = request;
  const settings = [`HR_BASE_URL=${shellQuoted(target.baseUrl)}`, `HR_CLIENT_ID=${shellQuoted(target.clientId)}`];
  const { method, path: template, queryNames } = target.operations[operation];
  const isExact = body === undefined && query['changedSince'] === undefined && query['after'] === undefined;
  const command = isExact ? commands[operation] : undefined;
  const start = settings.join(' ');
  if (command !== undefined) {
    const options = given(query).map(([name, value]) => shellQuoted(`--${optionNames[name] ?? name}=${value}`));
    // An id may begin with a hyphen.
    const ids = Object.values(path).flatMap((id) => [...(id.startsWith('-') ? ['--'] : []), shellQuoted(id)]);
    return `${start}${NEXT_LINE}${['hr', command, ...options, ...ids].join(' ')}\n`;
  }
  const fields = given(query).map(([name, value]) => `--field=${shellQuoted(`${queryNames[name] ?? name}=${value}`)}`);
  const input = body === undefined ? [] : ['--input-file -'];
  const call = ['hr api', method, shellQuoted(filled(template, path)), ...fields, ...input].join(' ');
  const send = `${start}${NEXT_LINE}${call}\n`;
  return body === undefined ? send : `printf %s ${shellQuoted(JSON.stringify(body))} |${NEXT_LINE}${send}`;
}

const commands: Partial<Record<OperationId, string>> = {
  listPersons: 'persons list',
  listVariablePayments: 'payments list',
  listSalaryHistory: 'salary history',
  listTimeBookings: 'time bookings',
  listAbsences: 'absences list',
  listWebhookEndpoints: 'webhooks list',
  listWebhookDeliveries: 'webhooks deliveries',
  testWebhookEndpoint: 'webhooks test',
  rotateWebhookSecret: 'webhooks rotate',
  deleteWebhookEndpoint: 'webhooks delete',
};
const optionNames: Readonly<Record<string, string>> = { billingPeriod: 'period' };

function typescript({ operation, path = {}, query = {}, body }: ApiRequest, target: RequestTarget): string {
  const { method, input } = methods[operation];
  const parameters = Object.fromEntries(
    given(query).map(([name, value]) => [name, name === 'wait' ? Number(value) : value]),
  );
  const payload = input === 'body' ? body : { ...parameters, ...(body as object | undefined) };
  const isEmpty = input === 'query' && Object.keys(parameters).length === 0;
  const values = [...Object.values(path), ...(isEmpty ? [] : [payload])];
  return `import { clientCredentials } from '@hr/auth';
import { createHrClient } from '@hr/client';

const baseUrl = ${typescriptOf(target.baseUrl)};
const clientSecret = process.env['HR_CLIENT_SECRET'] ?? '';
const auth = clientCredentials({ baseUrl, clientId: ${typescriptOf(target.clientId)}, clientSecret });
const hr = createHrClient({ baseUrl, auth });

const response = await hr.${method}(${values.map(typescriptOf).join(', ')});
console.log(response);
`;
}

/** The methods of the client. Their last argument has the query parameters, the body or both. */
const methods: Readonly<Record<OperationId, { readonly method: string; readonly input: 'query' | 'body' | 'both' }>> = {
  listPersons: { method: 'persons.list', input: 'query' },
  updatePerson: { method: 'persons.update', input: 'body' },
  submitVariablePayment: { method: 'payroll.submitVariablePayment', input: 'both' },
  listVariablePayments: { method: 'payroll.variablePayments', input: 'query' },
  listVariablePaymentDecisions: { method: 'payroll.decisions', input: 'query' },
  listSalaryHistory: { method: 'payroll.salaryHistory', input: 'query' },
  listAllSalaries: { method: 'payroll.allSalaries', input: 'query' },
  listTimeBookings: { method: 'time.bookings', input: 'query' },
  listAbsences: { method: 'time.absences', input: 'query' },
  listAllAbsences: { method: 'time.allAbsences', input: 'query' },
  getChanges: { method: 'changes.get', input: 'query' },
  createWebhookEndpoint: { method: 'webhooks.create', input: 'body' },
  listWebhookEndpoints: { method: 'webhooks.list', input: 'query' },
  listWebhookDeliveries: { method: 'webhooks.deliveries', input: 'query' },
  testWebhookEndpoint: { method: 'webhooks.test', input: 'query' },
  rotateWebhookSecret: { method: 'webhooks.rotate', input: 'query' },
  deleteWebhookEndpoint: { method: 'webhooks.delete', input: 'query' },
};

function given(query: NonNullable<ApiRequest['query']>): [string, string][] {
  return Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '');
}

function filled(template: string, path: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => urlEncoded(path[name] ?? ''));
}
