import { isDeepStrictEqual } from 'node:util';
import { BankDetails, operations, PostOfficeBox, StreetAddress, VariablePayment } from '@hr/schemas';
import { memberPath } from '../contract/matching-rules.ts';
import { bodyOf, jsonOf, type Interaction } from '../contract/pact.ts';
import { idInPath } from '../contract/record-ids.ts';
import type { ProviderResponse } from './interaction-run.ts';
import type { Fault } from './verification-result.ts';

/** How a write is sent, and how the provider is read and set up around it. */
interface Provider {
  readonly send: () => Promise<ProviderResponse>;
  /** Sends a GET request with the token of the write. */
  readonly read: (path: string) => Promise<ProviderResponse>;
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
  }
  return { response: await provider.send(), faults: [] };
}

const patched = {
  addresses: { field: 'address', shape: { ...StreetAddress.shape, ...PostOfficeBox.shape } },
  bankDetails: { field: 'bankDetails', shape: BankDetails.shape },
};

/** A sent property replaces the stored one, and nothing of that one is left. Others stay (section 4.1). */
async function patchAndReadBack({ request }: Interaction, body: Fields, provider: Provider) {
  const isOfPath = ({ id }: Fields): boolean => id === idInPath(request.path);
  const before = await readList(provider, operations.listPersons.path);
  const known = typeof before === 'string' ? undefined : before.find(isOfPath);
  const response = await provider.send();
  if (response.status !== 200) return { response, faults: [] };
  const persons = await readList(provider, operations.listPersons.path);
  if (typeof persons === 'string') return { response, faults: [readBackFault('$', persons)] };
  const person = persons.find(isOfPath);
  if (!person) return { response, faults: [readBackFault('$', 'expected the person of the path, got no such person')] };
  const faults = Object.entries(patched).flatMap(([property, { field, shape }]) => {
    if (!Object.hasOwn(body, property)) {
      if (!known || isDeepStrictEqual(known[field], person[field])) return [];
      return [
        readBackFault(
          memberPath('$[*]', field),
          `expected no change, as the request does not send ${property}, got one`,
        ),
      ];
    }
    const sent = property === 'addresses' ? (body[property] as readonly Fields[])[0] : (body[property] as Fields);
    const stored = (person[field] ?? {}) as Fields;
    return Object.keys(shape).flatMap((name) => {
      if (isDeepStrictEqual(sent?.[name], stored[name] ?? undefined)) return [];
      const wanted = sent?.[name] === undefined ? 'no value, as the request sends none' : 'the value of the request';
      return [readBackFault(memberPath(memberPath('$[*]', field), name), `expected ${wanted}, got another`)];
    });
  });
  return { response, faults };
}

/** A payment is listed once it is approved, not before (section 3). */
async function submitAndReadBack({ request }: Interaction, body: Fields, provider: Provider) {
  const path = `${request.path}?${new URLSearchParams(request.query).toString()}`;
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

/** The elements of a list; a message if the provider does not send one. */
async function readList({ read }: Provider, path: string): Promise<readonly Fields[] | string> {
  const { status, body } = await read(path);
  const list = status === 200 ? jsonOf(body.toString()) : undefined;
  return Array.isArray(list) ? list : `expected a list, got ${status === 200 ? 'other content' : `status ${status}`}`;
}

function readBackFault(path: string, message: string): Fault {
  return { place: `read back ${path}`, message: `${message}.` };
}
