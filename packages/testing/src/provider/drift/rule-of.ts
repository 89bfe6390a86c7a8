import type { Path } from './fields-of.ts';
import type { RuleList, RulesByPlace } from '../../contract/pact.ts';

const EXACT = 2;
const WILDCARD = 1;

/** Matchers that hold at their place only, and not for what is in it. */
const OF_ONE_PLACE = new Set(['values', 'eachKey', 'eachValue', 'arrayContains', 'contentType']);

/** The rules that hold at a place: its own, or those of what it is in, the most exact ones. Without any, the example itself is asked for. */
export function ruleOf(rules: RulesByPlace, path: Path): RuleList | undefined {
  let best: { readonly weight: number; readonly list: RuleList } | undefined;
  for (const [expression, list] of Object.entries(rules)) {
    const names = tokensOf(expression);
    const weight = weightOf(names, path);
    const isOwn = names.length === path.length;
    if (weight === 0 || (!isOwn && list.matchers.some(({ match }) => OF_ONE_PLACE.has(match)))) continue;
    if (!best || weight > best.weight) best = { weight, list };
  }
  return best?.list;
}

/** The names of a path expression, such as `$[*].employments[0]['start']`. */
function tokensOf(expression: string): string[] {
  return [...expression.matchAll(/\['([^']*)'\]|\[([^\]]*)\]|\.([^.[]+)/g)].map(
    ([, quoted, bracketed, dotted]) => quoted ?? bracketed ?? dotted ?? '',
  );
}

/** How exactly names lead to a place, or to what it is in; the longer the better. 0 where they lead elsewhere. */
function weightOf(names: readonly string[], path: Path): number {
  if (names.length > path.length) return 0;
  return names.reduce((weight, name, index) => {
    if (name === String(path[index])) return weight * EXACT * EXACT;
    return name === '*' ? weight * EXACT * WILDCARD : 0;
  }, 1);
}
