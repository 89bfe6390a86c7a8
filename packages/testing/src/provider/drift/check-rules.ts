import { jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { accepts, ruleOf, type Path } from '../../contract/matching-rules.ts';
import type { RuleList, RulesByPlace } from '../../contract/pact.ts';
import { crossFieldFaults, leafFaults } from '../../fixtures/invalid.ts';
import { inner, issuesIn, leafOf } from '../../model/leaf.ts';
import type { Finding } from './check-drift.ts';

const MAX_PROBE = 1000;
const INEXPRESSIBLE = new Set(['impossible date', 'impossible time', 'sixty minutes', 'third decimal']);
/** The matchers of specifications 3 and 4. */
const PACT_MATCHERS = new Set(
  (
    'equality regex type include integer decimal number datetime timestamp date time null boolean contentType ' +
    'arrayContains values statusCode notEmpty semver eachKey eachValue'
  ).split(' '),
);
/** JSON cannot contain them. */
const NEVER_SENT = new Set(['lone surrogate', 'NUL']);

const texts = ['', 'x', '1', 'DE', 'Zoë Müller-Lüdenscheidt, 3.', '5-4711', 'a@b', 'Zoe.B+hr@sub.example.org'];
const dates = ['0001-01-01', '2024-02-29', '9999-12-31', '1999-12', '2026-01-31T08:15', '2026-01-31T23:59:59.5'];
const ofManyForms: readonly unknown[] = [...texts, ...dates, 0, 2, -1, 0.5, 1.3, true, false];

/** A place in an example, and its model; `undefined` for an unknown field. */
interface Field {
  readonly path: Path;
  readonly value: unknown;
  readonly model?: z.ZodType;
  readonly isOptional?: boolean;
  readonly isNullable?: boolean;
}

/** All places of an example, parents before children. */
export function* fieldsOf(field: z.core.$ZodType, value: unknown, path: Path = []): Generator<Field, void, undefined> {
  const takes = (other: undefined | null) => z.safeParse(field, other).success;
  const model = inner(field);
  yield { path, value, model, isOptional: path.length > 0 && takes(undefined), isNullable: takes(null) };
  if (model instanceof z.ZodArray && Array.isArray(value)) {
    for (const [index, element] of value.entries()) yield* fieldsOf(model.element, element, [...path, index]);
  } else if (model instanceof z.ZodObject && typeof value === 'object' && value !== null) {
    for (const [name, content] of Object.entries(value)) {
      const member = Object.hasOwn(model.shape, name) ? model.shape[name] : undefined;
      if (member) yield* fieldsOf(member, content, [...path, name]);
      else yield { path: [...path, name], value: content };
    }
  }
}

/**
 * Compares the rules of a body with its model. A matcher must accept all values that the API allows, and no others. In
 * a request it may accept fewer: a consumer chooses what it sends.
 *
 * @param isGiven whether a value occurs elsewhere in the interaction, so that a response may require it
 */
export function* checkRules(
  model: z.ZodType,
  example: unknown,
  rules: RulesByPlace,
  where: 'query' | 'request' | 'response',
  isGiven: (value: unknown) => boolean = () => true,
): Generator<Finding> {
  for (const field of fieldsOf(model, example)) {
    const place = `${where} ${jsonPointer(field.path)}`;
    const found = [...compare(field, ruleOf(rules, field.path), where, isGiven)];
    for (const [kind, message] of found) if (kind !== 'unsupportedRules') yield { kind, place, message };
    const unsupported = found.flatMap(([kind, message]) => (kind === 'unsupportedRules' ? message : []));
    if (unsupported.length > 0) yield { kind: 'unsupportedRules', place, message: `${unsupported.join('; ')}.` };
  }
}

function* compare(
  { model, value, isOptional, isNullable }: Field,
  list: RuleList | undefined,
  where: 'query' | 'request' | 'response',
  isGiven: (value: unknown) => boolean,
): Generator<[kind: Finding['kind'], message: string]> {
  const isResponse = where === 'response';
  if (value === null && isNullable) yield ['unsupportedRules', 'may have a value'];
  // An invalid example is reported elsewhere, so its rules are not compared.
  if (!model || !isComparable(model, value)) return;
  if (isResponse && isOptional) yield ['unsupportedRules', 'may be missing'];
  if (isResponse && isNullable) yield ['unsupportedRules', 'may be null'];
  const rule = list && `the rule ${nameOf(list)}`;
  if (model instanceof z.ZodObject) {
    const together = list ? crossFieldFaults(model.meta()?.id ?? '', value as Record<string, unknown>) : [];
    for (const each of together) yield ['unsupportedRules', `has no ${each.rule}`];
  } else if (Array.isArray(value)) {
    if (!isResponse) return;
    yield ['unsupportedRules', value.length > 0 ? 'may be empty' : 'may have elements'];
    if (!list && value.length > 0)
      yield ['notes', `must have exactly ${value.length} elements. Use a matcher, unless it always has.`];
    if (list?.matchers.some((matcher) => matcher['max'] !== undefined))
      yield ['faults', `${rule} rejects longer arrays, which the API allows.`];
  } else if (!list || list.matchers.every(({ match }) => match === 'equality')) {
    if (isResponse && !(model instanceof z.ZodLiteral) && !isGiven(value))
      yield ['notes', 'must be exactly this value, but neither a state nor the request has it. Use a matcher.'];
  } else if (accepts(list, value, value) === undefined) {
    const unknown = list.matchers.find(({ match }) => !PACT_MATCHERS.has(match));
    if (unknown) yield ['faults', `Pact has no matcher ${unknown.match}. Correct it.`];
    else yield ['notes', `${rule} was not compared: this kit cannot read it.`];
  } else {
    const isAccepted = (other: unknown) => accepts(list, value, other);
    if (isResponse && allowed(model, value).some((each) => !isAccepted(each)))
      yield ['faults', `${rule} rejects values that the API allows.`];
    // A query has only text.
    const isSent = (other: unknown) => where !== 'query' || typeof other === 'string';
    const wrong = refused(model, value).filter((each) => isSent(each.value) && isAccepted(each.value));
    const detailsOf = (isExpressible: boolean) =>
      new Set(wrong.flatMap((each) => (each.isExpressible === isExpressible ? each.detail : [])));
    const looser = [...detailsOf(true)].join(', ');
    if (looser) yield ['faults', `${rule} accepts values that the API never sends: it ${looser}.`];
    for (const detail of detailsOf(false)) yield ['unsupportedRules', detail];
  }
}

function isComparable(model: z.ZodType, value: unknown): boolean {
  if (model instanceof z.ZodObject) return typeof value === 'object' && value !== null;
  return model instanceof z.ZodArray ? Array.isArray(value) : model.safeParse(value).success;
}

function nameOf({ matchers, combine }: RuleList): string {
  const names = matchers.map(({ match, regex }) => (match === 'regex' ? `regex ${String(regex)}` : match));
  return names.join(combine === 'OR' ? ' or ' : ' and ');
}

/** Values that a model allows: listed values, bounds, and many forms. */
function allowed(model: z.ZodType, example: unknown): readonly unknown[] {
  const { values = [], examples, minLength, maxLength, minimum, maximum } = leafOf(model);
  const bounds = [minLength, Math.min(maxLength, MAX_PROBE)].map((length) => 'x'.repeat(length));
  const candidates = [example, ...values, ...examples, ...bounds, minimum, maximum, ...ofManyForms];
  return candidates.filter((candidate) => model.safeParse(candidate).success);
}

/**
 * Values that a model rejects, each for one reason, and whether a matcher can express that reason: a type, a list of
 * values, a pattern.
 */
function refused(model: z.ZodType, example: unknown) {
  return [...leafFaults(model, example)].flatMap(({ rule, code, broken }) => {
    // Safe integers are a limit of JavaScript, not a rule of the API.
    const isUnsafe = typeof broken === 'number' && Math.abs(broken) > Number.MAX_SAFE_INTEGER;
    const [issue] = issuesIn(model, broken);
    if (NEVER_SENT.has(rule) || isUnsafe || issue?.code !== code) return [];
    const isBound = code === 'too-long' || code === 'too-short' || code === 'out-of-range';
    return [{ value: broken, detail: issue.detail, isExpressible: !isBound && !INEXPRESSIBLE.has(rule) }];
  });
}
