import { jsonPointer } from '@hr/schemas';
import { z } from 'zod';
import { crossFieldFaults } from '../../fixtures/invalid/cross-field-faults.ts';
import { accepts } from './accepts.ts';
import type { Finding } from './drift.ts';
import { fieldsOf } from './fields-of.ts';
import type { Field } from './fields-of.ts';
import type { RuleList, RulesByPlace } from './pact.ts';
import { allowed, refused } from './probes.ts';
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
  if (!model || !isLegal(model, value)) return [];
  const unheld = side.isRequest ? [] : presenceOf(field);
  if (model instanceof z.ZodObject) return told([...unheld, ...rulesOfSeveralFields(model, value, list)]);
  if (model instanceof z.ZodArray) return [...told(unheld), ...lengthOf(value, list, side)];
  if (!list || list.matchers.every(({ match }) => match === 'equality'))
    return [...told(unheld), ...exactValue(field, side)];
  return leafFindings(model, value, list, side, unheld);
}

/** A wrong example is told elsewhere, and to hold rules against it would tell it again. `null` says nothing of a model. */
function isLegal(model: z.ZodType, value: unknown): boolean {
  if (model instanceof z.ZodObject) return typeof value === 'object' && value !== null;
  if (model instanceof z.ZodArray) return Array.isArray(value);
  return model.safeParse(value).success;
}

function leafFindings(
  model: z.ZodType,
  example: unknown,
  list: RuleList,
  side: Side,
  presence: readonly string[],
): readonly Told[] {
  const name = nameOf(list);
  const lets = (value: unknown) => accepts(list, example, value);
  if (lets(example) === undefined)
    return [{ kind: 'notes', sentence: `${name} is not known here, so it is not compared.` }];

  const findings: Told[] = [];
  if (!side.isRequest && allowed(model, example).some((value) => !lets(value)))
    findings.push({ kind: 'faults', sentence: `${name} refuses values that the API allows.` });
  const passed = refused(model, example).filter(({ value }) => lets(value));
  const loose = unique(passed.filter(({ isExpressible }) => isExpressible).map(({ detail }) => detail));
  if (loose.length > 0)
    findings.push({ kind: 'faults', sentence: `${name} lets pass what the API does not: it ${loose.join(', it ')}.` });
  const rest = passed.filter(({ isExpressible }) => !isExpressible).map(({ detail }) => `it ${detail}`);
  return [...findings, ...told([...presence, ...rest])];
}

function exactValue({ model, value }: Field, { isRequest, isGiven }: Side): readonly Told[] {
  const isOnlyOne = model instanceof z.ZodLiteral;
  if (isRequest || isOnlyOne || isGiven(value)) return [];
  const sentence = 'Just this value is asked for, which no provider state and no request names; use a matcher.';
  return [{ kind: 'notes', sentence }];
}

function lengthOf(value: unknown, list: RuleList | undefined, { isRequest }: Side): readonly Told[] {
  if (isRequest) return [];
  if (!list) {
    const count = (value as readonly unknown[]).length;
    return count === 0
      ? []
      : [{ kind: 'notes', sentence: `A list of just ${count} is asked for; use a matcher where it may be longer.` }];
  }
  if (!list.matchers.some((matcher) => matcher['max'] !== undefined)) return [];
  return [{ kind: 'faults', sentence: `${nameOf(list)} refuses longer lists, which the API allows.` }];
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
  const words = unique(rest).join('; ');
  return words ? [{ kind: 'unheld', sentence: `${words}.` }] : [];
}

function nameOf({ matchers, combine }: RuleList): string {
  const names = matchers.map(({ match, regex }) => (match === 'regex' ? `regex ${String(regex)}` : match));
  return `The rule ${names.join(combine === 'OR' ? ' or ' : ' and ')}`;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)];
}
