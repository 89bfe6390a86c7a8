import type { Fault, VerificationResult, VerifiedInteraction } from './verification-result.ts';

/** The result to read: what does not hold, a line a fault. */
export function textReport({ ok, provider, interactions, faults }: VerificationResult): string {
  const held = interactions.filter((each) => each.ok);
  const failed = interactions.filter((each) => !each.ok);
  const summary = `${provider} ${verdict(ok, faults, failed)}: ${held.length} of ${interactions.length} interactions hold.`;
  const consumers = [...new Set(interactions.map(({ consumer }) => consumer))].map((consumer) => {
    const own = interactions.filter((each) => each.consumer === consumer);
    return `  ${consumer}: ${own.filter((each) => each.ok).length} of ${own.length}`;
  });
  const general = faults.map(({ place, sentence }) => `\n${place}: ${sentence}`);
  return [summary, ...consumers, ...general, ...failed.map(failedInteraction), ''].join('\n');
}

/** Whatever was not tried says nothing of the provider. */
function verdict(ok: boolean, faults: readonly Fault[], failed: readonly VerifiedInteraction[]): string {
  if (ok) return 'holds its contracts';
  if (faults.length > 0 || failed.every(isUntried)) return 'could not be verified';
  return 'does not hold its contracts';
}

function isUntried({ faults }: VerifiedInteraction): boolean {
  return faults.some(({ place }) => /^(?:reset$|state "|header Authorization$)/.test(place));
}

function failedInteraction({ consumer, description, states, pending, faults }: VerifiedInteraction): string {
  const given = states.length > 0 ? ` (given ${states.join(', ')})` : '';
  const lines = faults.map(({ place, sentence }) => `  ${place}: ${sentence}`);
  return ['', `${consumer}: ${description}${given}${pending ? ', pending' : ''}`, ...lines].join('\n');
}
