import { isDeepStrictEqual } from 'node:util';
import { accepts, leavesOf, namesOf, ruleOf, valueAt } from './matching-rules.ts';
import type { PactInteraction } from './pact-interaction.ts';
import type { RulesByPlace } from './pact.ts';

interface Response {
  readonly status: number;
  readonly headers?: object;
  readonly body?: { readonly content?: unknown };
  readonly matchingRules?: { readonly body?: RulesByPlace };
}

const probes = [
  '',
  'x',
  'X1',
  '1',
  '2026-01-31',
  '2026-01',
  '2026-02-30',
  '2026-01-31T08:15',
  0,
  1,
  -1,
  0.5,
  true,
  false,
];

/**
 * What a changed interaction asks of the HR Cloud, compared with the earlier one: more, less, the same in another form, or
 * something else.
 */
export function strengthOf(
  before: PactInteraction,
  after: PactInteraction,
): 'stronger' | 'weaker' | 'equal' | 'different' {
  const [old, current] = [before['response'] as Response, after['response'] as Response];
  const isSame = (name: keyof Response): boolean => isDeepStrictEqual(old[name], current[name]);
  if (!isDeepStrictEqual(before['request'], after['request']) || !isSame('status') || !isSame('headers'))
    return 'different';
  const [oldAbsent, absent] = [absentOf(before), absentOf(after)];
  const asksMore = asksBeyond(old, current) || absent.some((place) => !oldAbsent.includes(place));
  const asksLess = asksBeyond(current, old) || oldAbsent.some((place) => !absent.includes(place));
  if (asksMore && asksLess) return 'different';
  return asksMore ? 'stronger' : asksLess ? 'weaker' : 'equal';
}

function absentOf({ comments }: PactInteraction): readonly string[] {
  return (comments as { readonly absent?: readonly string[] } | undefined)?.absent ?? [];
}

/** Whether a response asks for something that another one does not. */
function asksBeyond(other: Response, own: Response): boolean {
  const [example, otherExample] = [own.body?.content, other.body?.content];
  return leavesOf(example).some(({ path, value }) => {
    const names = namesOf(path);
    const otherValue = valueAt(otherExample, names, true);
    if (otherValue === undefined || lengthAt(own, names) > lengthAt(other, names)) return true;
    return [...probes, value, otherValue].some(
      (probe) => isAccepted(other, names, otherValue, probe) && !isAccepted(own, names, value, probe),
    );
  });
}

function isAccepted({ matchingRules }: Response, names: readonly string[], example: unknown, value: unknown): boolean {
  const rule = ruleOf(matchingRules?.body ?? {}, names);
  return rule ? accepts(rule, example, value) === true : isDeepStrictEqual(example, value);
}

/** How many elements the list around a place has at least. */
function lengthAt({ body }: Response, names: readonly string[]): number {
  const last = names.findLastIndex((name) => /^\d+$/.test(name));
  const list = last < 0 ? [] : valueAt(body?.content, names.slice(0, last), true);
  return Array.isArray(list) ? list.length : 0;
}

/**
 * Whether two interactions say the same of their consumer: the same request and status, and the same example but for the
 * fields that the kit added.
 */
export function haveSameDeclaration(one: PactInteraction, other: PactInteraction): boolean {
  return isDeepStrictEqual(declarationOf(one), declarationOf(other));
}

function declarationOf(interaction: PactInteraction): unknown {
  const { request, response, comments } = interaction as PactInteraction & {
    readonly request: object;
    readonly response: { readonly status: number; readonly body?: { readonly content?: unknown } };
    readonly comments?: { readonly text?: readonly string[] };
  };
  const added = new Set(comments?.text?.flatMap((text) => text.match(/\$\S*[^\s,]/g) ?? []));
  const own = leavesOf(response.body?.content).filter(({ path }) => {
    const place = path.replaceAll(/\[\d+\]/g, '[*]');
    return ![...added].some((each) => place === each || place.startsWith(`${each}.`) || place.startsWith(`${each}[`));
  });
  return [{ ...request, matchingRules: undefined, headers: undefined }, response.status, own, absentOf(interaction)];
}
