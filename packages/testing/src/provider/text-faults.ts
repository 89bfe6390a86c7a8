import { kindOf } from '../contract/kind-of.ts';
import { memberPath } from './member-path.ts';
import type { Fault } from './verification-result.ts';

/**
 * Where a contract has text and the provider gives a number, or true or false. Pact tries a pattern on the digits of a
 * number, too, and so lets `4711` pass for `"4711"`; a consumer in TypeScript would find another type than it was told.
 */
export function textFaults(example: unknown, answer: unknown, path = '$'): readonly Fault[] {
  if (typeof example === 'string' && (typeof answer === 'number' || typeof answer === 'boolean'))
    return [
      { place: `body ${path}`, sentence: `The contract expects text, and the provider gives ${kindOf(answer)}.` },
    ];
  if (Array.isArray(example) && Array.isArray(answer))
    return answer.flatMap((element: unknown, index) =>
      textFaults(example[index] ?? example.at(-1), element, `${path}[${index}]`),
    );
  if (!isObject(example) || !isObject(answer)) return [];
  return Object.entries(example).flatMap(([name, value]) => textFaults(value, answer[name], memberPath(path, name)));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
