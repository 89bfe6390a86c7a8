import { jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { crossFieldFaults } from '../../fixtures/invalid.ts';
import { accepts } from './accepts.ts';
import type { Finding } from './drift.ts';
import { fieldsOf } from './fields-of.ts';
import type { Field } from './fields-of.ts';
import { compareRule, nameOfRule } from './compare-rule.ts';
import type { RuleList, RulesByPlace } from '../../contract/pact.ts';
import { ruleOf } from './rule-of.ts';

interface Side {
  /** How places are told: `answer` or `request`. */
  readonly where: string;
  /** A consumer chooses what it sends, so the rules of a request may be stricter than the API's. */
  readonly isRequest: boolean;
  /** Whether a value is known from elsewhere in the interaction, so that asking for just this one is right. */
  readonly isGiven: (value: unknown) => boolean;
}

/** Holds the rules of a body against its model: neither may a matcher refuse what the API allows, nor let pass what it does not. */
export function* checkRules(model: z.ZodType, example: unknown, rules: RulesByPlace, side: Side): Generator<Finding> {
  for (const field of fieldsOf(model, example)) {
    const list = ruleOf(rules, field.path);
    const place = `${side.where} ${jsonPointer(field.path)}`;
    for (const { kind, sentence } of findingsOf(field, list, side)) yield { kind, place, sentence };
  }
}

type Told = Pick<Finding, 'kind' | 'sentence'>;

function findingsOf(field: Field, list: RuleList | undefined, side: Side): readonly Told[] {
  const { model, value } = field;
  if (value === null && field.isNullable) return told(['it may have a value']);
  if (!model || !isLegal(model, value)) return [];
  const unheld = side.isRequest ? [] : presenceOf(field);
  if (model instanceof z.ZodObject) return told([...unheld, ...rulesOfSeveralFields(model, value, list)]);
  if (model instanceof z.ZodArray) return lengthOf(value as readonly unknown[], list, side, unheld);
  if (!list || list.matchers.every(({ match }) => match === 'equality'))
    return [...told(unheld), ...exactValue(field, side)];
  if (accepts(list, value, value) === undefined)
    return [{ kind: 'notes', sentence: `${nameOfRule(list)} is not known here, so it is not compared.` }];
  const { faults, unheld: rest } = compareRule(model, value, list, side.isRequest);
  return [...faults.map((sentence) => ({ kind: 'faults' as const, sentence })), ...told([...unheld, ...rest])];
}

/** A wrong example is told elsewhere, and to hold rules against it would tell it again. */
function isLegal(model: z.ZodType, value: unknown): boolean {
  if (model instanceof z.ZodObject) return typeof value === 'object' && value !== null;
  if (model instanceof z.ZodArray) return Array.isArray(value);
  return model.safeParse(value).success;
}

function exactValue({ model, value }: Field, { isRequest, isGiven }: Side): readonly Told[] {
  const isOnlyOne = model instanceof z.ZodLiteral;
  if (isRequest || isOnlyOne || isGiven(value)) return [];
  const sentence = 'Just this value is asked for, which no provider state and no request names; use a matcher.';
  return [{ kind: 'notes', sentence }];
}

function lengthOf(
  value: readonly unknown[],
  list: RuleList | undefined,
  { isRequest }: Side,
  presence: readonly string[],
): readonly Told[] {
  if (isRequest) return [];
  const unheld = told([...presence, value.length > 0 ? 'it may be empty' : 'it may have elements']);
  const sentence = `A list of just ${value.length} is asked for; use a matcher where it may be longer.`;
  if (!list && value.length > 0) return [...unheld, { kind: 'notes', sentence }];
  if (!list?.matchers.some((matcher) => matcher['max'] !== undefined)) return unheld;
  return [...unheld, { kind: 'faults', sentence: `${nameOfRule(list)} refuses longer lists, which the API allows.` }];
}

function presenceOf({ isOptional, isNullable }: Field): string[] {
  return [...(isOptional ? ['it may be missing'] : []), ...(isNullable ? ['it may be null'] : [])];
}

function rulesOfSeveralFields(model: z.ZodObject, value: unknown, list: RuleList | undefined): string[] {
  if (!list) return [];
  const faults = crossFieldFaults(model.meta()?.id ?? '', value as Record<string, unknown>);
  return faults.map(({ rule }) => `its fields go together, no ${rule}`);
}

function told(rest: readonly string[]): readonly Told[] {
  const words = rest.join('; ');
  return words ? [{ kind: 'unheld', sentence: `${words}.` }] : [];
}
