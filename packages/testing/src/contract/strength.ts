import { isDeepStrictEqual } from 'node:util';
import { accepts, endsOf, namesOf, ruleOf, valueAt } from './matching-rules.ts';
import { bodyOf, headerOf, type Interaction } from './pact.ts';

const texts = ['', 'x', 'X1', '1', '2026-01-31', '2026-01', '2026-02-30', '2026-01-31T08:15'];
const probes = [...texts, 0, 1, -1, 0.5, true, false, [], {}];

/**
 * Says whether a changed interaction asks more of the HR Cloud than the earlier one, less, or the same in another form.
 * Otherwise it says only that it changed.
 */
export function changeOf(before: Interaction, after: Interaction): string {
  const [asksMore, asksLess] = [asksBeyond(before, after), asksBeyond(after, before)];
  const isOther = !isDeepStrictEqual(fixedPart(before), fixedPart(after));
  if (isOther || (asksMore && asksLess)) return 'changed';
  return `changed, ${asksMore ? 'stronger' : asksLess ? 'weaker' : 'as strong as before'}`;
}

const fixedPart = ({ request, response: { status, headers } }: Interaction) => ({ request, status, headers });

/** Whether an interaction asks for something that another one does not. */
function asksBeyond(other: Interaction, own: Interaction): boolean {
  const [example, otherExample] = [bodyOf(own.response, own), bodyOf(other.response, other)];
  if (own.comments?.absent?.some((place) => !other.comments?.absent?.includes(place))) return true;
  return endsOf(example).some(({ path, value }) => {
    const names = namesOf(path);
    const otherValue = valueAt(otherExample, names, true);
    if (otherValue === undefined || lengthAt(example, names) > lengthAt(otherExample, names)) return true;
    return [...probes, value, otherValue].some(
      (probe) => isAccepted(other, names, otherValue, probe) && !isAccepted(own, names, value, probe),
    );
  });
}

function isAccepted({ response }: Interaction, names: readonly string[], example: unknown, value: unknown): boolean {
  const rule = ruleOf(response.matchingRules?.body ?? {}, names);
  return rule ? accepts(rule, example, value) === true : isDeepStrictEqual(example, value);
}

/** How many elements the list around a place has at least. */
function lengthAt(example: unknown, names: readonly string[]): number {
  const last = names.findLastIndex((name) => /^\d+$/.test(name));
  const list = last < 0 ? [] : valueAt(example, names.slice(0, last), true);
  return Array.isArray(list) ? list.length : 0;
}

/**
 * Whether two interactions say the same of their consumer: the same request and status, and the same example but for the
 * fields that the kit added.
 */
export function haveSameDeclaration(one: Interaction, other: Interaction): boolean {
  return isDeepStrictEqual(declarationOf(one), declarationOf(other));
}

function declarationOf(interaction: Interaction): unknown {
  const { request, response, comments = {} } = interaction;
  const { text = [], absent = [] } = comments as { text?: string[]; absent?: string[] };
  const added = text.flatMap((line) => line.match(/\$\S*[^\s,]/g) ?? []);
  const own = endsOf(bodyOf(response, interaction)).filter(({ path, value }) => {
    const place = path.replaceAll(/\[\d+\]/g, '[*]');
    const isAdded = added.some((each) => `${place}.`.startsWith(`${each}.`) || place.startsWith(`${each}[`));
    // A field that the kit adds fills an empty object.
    return !isAdded && !isDeepStrictEqual(value, {});
  });
  const headers = ['authorization', 'idempotency-key'].map((name) => headerOf(request, name));
  return [{ ...request, matchingRules: undefined, headers }, response.status, own, absent];
}
