import type { TestModule } from 'vitest/node';
import type { ContractPart, MadeInteraction } from '../contract-part.ts';

/** Interactions of a whole run that were made, and of which no run was held; a sentence each. */
export function interactionsNotRun(
  made: readonly MadeInteraction[],
  parts: readonly ContractPart[],
  modules: readonly TestModule[],
): readonly string[] {
  // A test that was retried has made the same again.
  const held = new Set(parts.map(keyOf));
  const withSkipped = new Set(modules.filter(hasSkipped).map(({ moduleId }) => moduleId));
  const lost = made.filter((each) => !held.has(keyOf(each)) && !withSkipped.has(each.collectedIn ?? ''));
  return [...new Set(lost.map(sentenceOf))].toSorted();
}

function keyOf({ file, exchange }: MadeInteraction): string {
  return JSON.stringify([file, exchange]);
}

function hasSkipped({ children }: TestModule): boolean {
  return !children.allTests('skipped').next().done;
}

function sentenceOf({ consumer, exchange, test }: MadeInteraction): string {
  return `${consumer}: "${exchange.description}" is made and never run, by ${test}. Call its run, and await that.`;
}
