import type { z } from 'zod';
import { accepts } from './accepts.ts';
import type { RuleList } from '../../contract/pact.ts';
import { allowed, refused } from './probes.ts';

/** Where a rule and a model part. */
interface Comparison {
  /** Sentences about what the rule could say, and does not. */
  readonly faults: readonly string[];
  /** What the model says and no rule can. */
  readonly unheld: readonly string[];
}

/**
 * Tries a rule on values that a model allows, and on some that it does not. In a request a rule may refuse what is allowed:
 * a consumer chooses what it sends.
 */
export function compareRule(model: z.ZodType, example: unknown, list: RuleList, isRequest: boolean): Comparison {
  const name = nameOfRule(list);
  const passes = (value: unknown) => accepts(list, example, value);
  const isStricter = !isRequest && allowed(model, example).some((value) => !passes(value));
  const passed = refused(model, example).filter(({ value }) => passes(value));
  const of = (expressible: boolean) => {
    const words = passed.flatMap(({ isExpressible, detail }) => (isExpressible === expressible ? `it ${detail}` : []));
    return [...new Set(words)];
  };
  const looser = of(true).join(', ');
  return {
    faults: [
      ...(isStricter ? [`${name} refuses values that the API allows.`] : []),
      ...(looser ? [`${name} lets pass what the API does not: ${looser}.`] : []),
    ],
    unheld: of(false),
  };
}

/** A rule in words. */
export function nameOfRule({ matchers, combine }: RuleList): string {
  const names = matchers.map(({ match, regex }) => (match === 'regex' ? `regex ${String(regex)}` : match));
  return `The rule ${names.join(combine === 'OR' ? ' or ' : ' and ')}`;
}
