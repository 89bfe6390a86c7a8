import type { VerificationResult, VerifiedInteraction } from './verification-result.ts';

/** The result to read: what does not hold, a line a fault. */
export function textReport({ ok, provider, interactions, faults }: VerificationResult): string {
  const held = interactions.filter((each) => each.ok);
  const failed = interactions.filter((each) => !each.ok);
  const summary = `${provider} ${ok ? 'holds its contracts' : 'does not hold its contracts'}: ${held.length} of ${interactions.length} interactions hold.`;
  const consumers = [...new Set(interactions.map(({ consumer }) => consumer))].map((consumer) => {
    const own = interactions.filter((each) => each.consumer === consumer);
    return `  ${consumer}: ${own.filter((each) => each.ok).length} of ${own.length}`;
  });
  const general = faults.map(({ place, sentence }) => `\n${place}: ${sentence}`);
  return [summary, ...consumers, ...general, ...failed.map(failedInteraction), ''].join('\n');
}

function failedInteraction({ consumer, description, states, pending, faults }: VerifiedInteraction): string {
  const given = states.length > 0 ? ` (given ${states.join(', ')})` : '';
  const lines = faults.map(({ place, sentence }) => `  ${place}: ${sentence}`);
  return ['', `${consumer}: ${description}${given}${pending ? ', pending' : ''}`, ...lines].join('\n');
}
