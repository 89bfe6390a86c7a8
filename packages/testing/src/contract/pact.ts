import { hash } from 'node:crypto';
import { structureFault } from '@hr/schemas/provider';
import { z } from 'zod';
import { HrTestingError } from '../hr-testing-error.ts';
import { issuesIn } from '../model/leaf.ts';
import { valuesAt } from './matching-rules.ts';
import { PROVIDER_NAME } from './provider-name.ts';

const Matcher = z.looseObject({ match: z.string() });
const RuleList = z.strictObject({ combine: z.enum(['AND', 'OR']).optional(), matchers: z.array(Matcher).min(1) });
const RulesByPlace = z.record(z.string(), RuleList).optional();
/** Members that tools write, and that say nothing of a request or response over HTTP. */
const Ignored = z.unknown().optional();

// Strict, because a misspelt member would be agreed and never verified.
const Message = z.strictObject({
  headers: z.record(z.string(), z.union([z.string(), z.array(z.string())])).optional(),
  body: z.unknown().optional(),
  matchingRules: z
    .strictObject({ body: RulesByPlace, header: RulesByPlace, query: RulesByPlace, path: Ignored, status: Ignored })
    .optional(),
  // The verification fills in no values of states, so it would send the example.
  generators: z
    .record(z.string(), z.unknown())
    .refine(
      (all) => !JSON.stringify(all).includes('"ProviderState"'),
      'must not take values from provider states: write the values that the states name',
    )
    .optional(),
});

/** A field that other tools write, and that must not be dropped in silence. */
const absentField = (message: string) =>
  z.custom((value) => value === undefined || (Array.isArray(value) && value.length === 0), message).optional();

/** An interaction over HTTP, as specifications 3 and 4 of Pact write it; only specification 4 has `type`. */
const Interaction = z
  .strictObject({
    type: z.literal('Synchronous/HTTP').optional(),
    description: z.string(),
    providerStates: z.array(z.strictObject({ name: z.string(), params: z.unknown().optional() })).optional(),
    providerState: absentField('is of specification 2: write providerStates, a list of them'),
    request: Message.extend({
      method: z.string(),
      path: z.string(),
      query: z.record(z.string(), z.array(z.string())).optional(),
    }),
    response: Message.extend({ status: z.int() }),
    /** `absent` has the places of the example that the response must not have. */
    comments: z.looseObject({ absent: z.array(z.string()).optional() }).optional(),
    _id: Ignored,
    key: Ignored,
    pending: Ignored,
    transport: Ignored,
    interactionMarkup: Ignored,
    pluginConfiguration: Ignored,
    references: Ignored,
  })
  .superRefine((interaction, context) => {
    for (const side of ['request', 'response'] as const) {
      const message = interaction[side];
      const body = bodyOf(message, interaction);
      for (const [place, { matchers }] of Object.entries(message.matchingRules?.body ?? {})) {
        const values = valuesAt(body, place);
        const refuse = (reason: string) =>
          context.addIssue({ code: 'custom', path: [side, 'matchingRules', 'body', place], message: reason });
        if (values.length === 0) refuse('is no place of its example, such as $.name or $[*].id');
        if (values.includes(null) && matchers.some(({ match }) => match === 'regex'))
          refuse('has a pattern, but the example has null there: give it a text');
      }
    }
  });

const OneLine = z.string().refine((text) => /^\P{C}*\S\P{C}*$/u.test(text), 'must be one line of text');
const specification = ['metadata', 'pactSpecification', 'version'];
const PactContent = z
  .looseObject({
    metadata: z.looseObject({
      // Other tools write none of this.
      'hr-testing': z.looseObject({ contact: OneLine.optional(), version: OneLine.optional() }).optional(),
      pactSpecification: z.looseObject({
        version: z.string().refine((version) => /^[34](?:\.|$)/.test(version), 'must be 3 or 4 (PactV3, PactV4)'),
      }),
    }),
    consumer: z.looseObject({ name: OneLine }),
    provider: z.looseObject({ name: z.string().refine((name) => name === PROVIDER_NAME, `must be ${PROVIDER_NAME}`) }),
    // Before the interactions, which a pact of messages does not have.
    messages: absentField('must not be there: the HR Cloud sends no messages'),
    interactions: z.array(Interaction).refine(({ length }) => length > 0, 'must not be empty'),
  })
  .refine(
    ({ metadata, interactions }) =>
      !metadata.pactSpecification.version.startsWith('3') || interactions.every(({ type }) => type === undefined),
    { path: specification, error: 'must be 4, because the interactions are of version 4' },
  );

type Message = z.output<typeof Message>;
/** A matcher. Its name determines its other members. */
export type Matcher = z.output<typeof Matcher>;
/** The matchers of one place. */
export type RuleList = z.output<typeof RuleList>;
/** The rules of a message by path or name: `{ '$.id': { matchers: [{ match: 'type' }] } }`. */
export type RulesByPlace = Readonly<Record<string, RuleList>>;
export type Interaction = z.output<typeof Interaction>;
type PactContent = z.output<typeof PactContent>;

/** A pact, and where it was read from. */
export interface Pact {
  /** The file, or the address at the broker. */
  readonly source: string;
  readonly consumer: string;
  /** Whom to talk to about it. */
  readonly contact?: string | undefined;
  readonly interactions: readonly Interaction[];
  readonly text: string;
  /** {@link pactHash} */
  readonly hash: string;
}

/** @throws {HrTestingError} `invalid-pact` if the text is not a pact of `hr-cloud` in specification 3 or 4. */
export function parsePact(text: string, source: string): Pact {
  const content = contentOf(text);
  if (typeof content === 'string') {
    throw invalidPact(
      `${source} is ${content}. Let the tests of its consumer write it again, or move it out of the pacts.`,
    );
  }
  const { consumer, interactions, metadata } = content;
  const { contact } = metadata['hr-testing'] ?? {};
  return { source, consumer: consumer.name, contact, interactions, text, hash: pactHash(text) };
}

/** The content of a pact of `hr-cloud`; of another text, what it is: `not JSON`. */
export function contentOf(text: string): PactContent | string {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    return `not JSON${placeOf(error as SyntaxError, text)}`;
  }
  // JSON.parse would ignore the first of two equal names.
  const structure = structureFault(text, Infinity);
  const repeated = structure?.detail === 'must be given only once' ? [structure] : [];
  const [issue] = [...repeated, ...issuesIn(PactContent, content)];
  if (issue) return `no pact with ${PROVIDER_NAME}: ${issue.pointer || 'the document'} ${issue.detail}`;
  // As it is: a parsed copy would have its members in another order.
  return content as PactContent;
}

export function invalidPact(message: string, options?: ErrorOptions): HrTestingError {
  return new HrTestingError('invalid-pact', message, options);
}

/** The example of a body: JSON as its value, a form as its fields, other text as it is; `undefined` without a body. */
export function bodyOf(message: Message, { type }: Interaction): unknown {
  // Specification 4 wraps it.
  const content =
    type === undefined ? message.body : (message.body as { readonly content?: unknown } | undefined)?.content;
  return typeof content === 'string' && isForm(message) ? Object.fromEntries(new URLSearchParams(content)) : content;
}

/** Whether the body is a form, which has no rules for its fields. */
export function isForm(message: Message): boolean {
  return mediaTypeOf(headerOf(message, 'content-type')) === 'application/x-www-form-urlencoded';
}

/** The path of a request with its query. */
export function targetOf({ path, query = {} }: Interaction['request']): string {
  const parameters = new URLSearchParams();
  for (const [name, values] of Object.entries(query)) for (const value of values) parameters.append(name, value);
  return parameters.size > 0 ? `${path}?${parameters.toString()}` : path;
}

/** The first value of a header; names are case-insensitive. */
export function headerOf({ headers = {} }: Pick<Message, 'headers'>, name: string): string | undefined {
  return Object.entries(headers)
    .find(([each]) => each.toLowerCase() === name)
    ?.flat()[1];
}

/** `application/json` of `Application/JSON; charset=utf-8` (RFC 9110, section 8.3.1). */
export function mediaTypeOf(contentType = ''): string {
  return contentType.replace(/;.*/s, '').trim().toLowerCase();
}

/** The value of a JSON text; `undefined` when the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where `JSON.parse` found an error, without the text around it, which its message may show. */
function placeOf({ message }: SyntaxError, text: string): string {
  const [, position] = /at position (\d+)/.exec(message) ?? [];
  if (position === undefined) return message.includes('end of JSON') ? ': it ends too early' : '';
  const lines = text.slice(0, Number(position)).split('\n');
  return `: see line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** TypeScript does not know them yet. */
interface RawJson {
  readonly rawJSON: (source: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
}
const { rawJSON, isRawJSON } = JSON as unknown as RawJson;

/**
 * The value of a JSON text. `JSON.stringify` writes its numbers unchanged, because Pact distinguishes `1.0` from `1`.
 */
export function verbatimJson(text: string): unknown {
  return JSON.parse(text, keepNumber as (name: string, value: unknown) => unknown);
}

function keepNumber(_name: string, value: unknown, { source }: { readonly source: string }): unknown {
  return typeof value === 'number' ? rawJSON(source) : value;
}

/**
 * SHA-256 of the content of a pact. It ignores layout, metadata, broker ids, and the order of keys and interactions.
 */
export function pactHash(text: string): string {
  const { consumer, provider, interactions } = verbatimJson(text) as PactContent;
  const each = interactions.map((interaction) => canonical({ ...interaction, _id: undefined })).toSorted();
  return hash('sha256', `${canonical([consumer.name, provider.name])}\n${each.join('\n')}`);
}

/** JSON with sorted keys and without white space, so that equal values are equal texts. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part) && !isRawJSON(part) ? sorted(part) : part,
  );
}

function sorted(part: object): object {
  return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
