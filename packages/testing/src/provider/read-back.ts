import { isDeepStrictEqual } from 'node:util';
import {
  BankDetails,
  operations,
  Person,
  PostOfficeBox,
  StreetAddress,
  TOKEN_PATH,
  TokenResponse,
  VariablePayment,
} from '@hr/schemas';
import { memberPath } from '../contract/matching-rules.ts';
import { bodyOf, jsonOf, targetOf, type Interaction } from '../contract/pact.ts';
import { idInPath } from '../contract/record-ids.ts';
import type { ProviderResponse } from './interaction-run.ts';
import type { Fault } from './verification-result.ts';

/** How a write is sent, and how the provider is read and set up around it. */
interface Provider {
  readonly send: () => Promise<ProviderResponse>;
  /** Sends a GET request, by default with the token of the write. */
  readonly read: (path: string, token?: string) => Promise<ProviderResponse>;
  /** Approves all submitted payments. */
  readonly approvePayments?: (() => Promise<void>) | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Sends the request of an interaction. If it is a write that succeeds, it reads what the provider has stored, as a
 * provider can answer as agreed and store nothing.
 */
export async function sendAndReadBack(
  interaction: Interaction,
  provider: Provider,
): Promise<{ readonly response: ProviderResponse; readonly faults: readonly Fault[] }> {
  const { request, response: expected } = interaction;
  const method = request.method.toUpperCase();
  const body = bodyOf(request, interaction);
  if (expected.status === 200 && typeof body === 'object' && body !== null) {
    if (method === 'PATCH') return patchAndReadBack(interaction, body as Fields, provider);
    if (method === 'POST' && request.path.endsWith('/variable-payments'))
      return submitAndReadBack(interaction, body as Fields, provider);
    if (method === 'POST' && request.path.endsWith(TOKEN_PATH)) return requestAndUseToken(provider);
  }
  return { response: await provider.send(), faults: [] };
}

/** What PATCH can change: the property to send, the field of the person, and its members. */
const patched = [
  { property: 'addresses', field: 'address', shape: { ...StreetAddress.shape, ...PostOfficeBox.shape } },
  { property: 'bankDetails', field: 'bankDetails', shape: BankDetails.shape },
];

/** A sent property replaces the stored one, and nothing of that one is left. All else stays (section 4.1). */
async function patchAndReadBack({ request }: Interaction, body: Fields, provider: Provider) {
  const isOfPath = ({ id }: Fields): boolean => id === idInPath(request.path);
  const before = await readList(provider, operations.listPersons.path);
  const response = await provider.send();
  if (response.status !== 200) return { response, faults: [] };
  const persons = await readList(provider, operations.listPersons.path);
  if (typeof persons === 'string') return { response, faults: [readBackFault('$', persons)] };
  const person = persons.find(isOfPath);
  if (!person) return { response, faults: [readBackFault('$', 'expected the person of the path, got no such person')] };
  const sent = patched.filter(({ property }) => Object.hasOwn(body, property));
  const faults = sent.flatMap(({ property, field, shape }) => {
    const value = property === 'addresses' ? (body[property] as readonly Fields[])[0] : body[property];
    const [wanted, stored] = [value ?? {}, person[field] ?? {}] as [Fields, Fields];
    return Object.keys(shape).flatMap((name) => {
      const given = stored[name] ?? undefined;
      if (isDeepStrictEqual(wanted[name], given)) return [];
      const place = memberPath(memberPath('$[*]', field), name);
      const expected = wanted[name] === undefined ? 'no value, as the request sends none' : 'the value of the request';
      return [readBackFault(place, `expected ${expected}, got ${given === undefined ? 'none' : 'another'}`)];
    });
  });
  const changeable = new Set(sent.map(({ field }) => field));
  for (const known of typeof before === 'string' ? [] : before) {
    const stored = persons.find(({ id }) => id === known['id']);
    for (const field of stored ? Object.keys(Person.shape) : ['id']) {
      if (isDeepStrictEqual(known[field], stored?.[field]) || (isOfPath(known) && changeable.has(field))) continue;
      const why = isOfPath(known) ? 'the request does not send it' : 'the request is for another person';
      faults.push(readBackFault(memberPath('$[*]', field), `expected no change, as ${why}, got one`));
    }
  }
  return { response, faults };
}

/** A payment is listed once it is approved, not before (section 3). */
async function submitAndReadBack({ request }: Interaction, body: Fields, provider: Provider) {
  const path = targetOf(request);
  const before = await readList(provider, path);
  const response = await provider.send();
  if (response.status !== 200 || typeof before === 'string') return { response, faults: [] };
  const submitted = await readList(provider, path);
  if (!isDeepStrictEqual(submitted, before)) {
    const message = 'expected the same payments as before, as nobody has approved this one, got others';
    return { response, faults: [readBackFault('$', typeof submitted === 'string' ? submitted : message)] };
  }
  if (!provider.approvePayments) return { response, faults: [] };
  await provider.approvePayments();
  const approved = await readList(provider, path);
  if (typeof approved === 'string') return { response, faults: [readBackFault('$', approved)] };
  const others = [...before];
  const added = approved.filter((payment) => {
    const index = others.findIndex((other) => isDeepStrictEqual(other, payment));
    if (index >= 0) others.splice(index, 1);
    return index < 0;
  });
  const payrollContractId = idInPath(request.path);
  const [billingPeriod] = request.query?.['billingPeriod'] ?? [];
  const sent: Fields = { correctionPeriod: billingPeriod, ...body, payrollContractId, billingPeriod };
  const names = Object.keys(VariablePayment.shape);
  const own = added.filter((payment) =>
    names.every((name) => isDeepStrictEqual(payment[name] ?? undefined, sent[name])),
  );
  const message = `expected the payment of the request once after its approval, got it ${own.length} times`;
  return { response, faults: own.length === 1 ? [] : [readBackFault('$', message)] };
}

/** An issued token is accepted (section 5). */
async function requestAndUseToken(provider: Provider) {
  const response = await provider.send();
  const { access_token: issued } = Object(jsonOf(response.body.toString())) as Fields;
  const { data: token } = TokenResponse.shape.access_token.safeParse(issued);
  // One of another form is a fault of the response.
  if (response.status !== 200 || token === undefined) return { response, faults: [] };
  const { status } = await provider.read(operations.listPersons.path, token);
  const fault = readBackFault('$.access_token', 'expected a token that the provider accepts, got status 401 for it');
  return { response, faults: status === 401 ? [fault] : [] };
}

/** The elements of a list; a message if the provider does not send one. */
async function readList({ read }: Provider, path: string): Promise<readonly Fields[] | string> {
  const { status, body } = await read(path);
  const list = status === 200 ? jsonOf(body.toString()) : undefined;
  return Array.isArray(list) ? list : `expected a list, got ${status === 200 ? 'other content' : `status ${status}`}`;
}

function readBackFault(path: string, message: string): Fault {
  return { place: `read back ${path}`, message: `${message}.` };
}
