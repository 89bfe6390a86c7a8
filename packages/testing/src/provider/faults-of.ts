import { bodyFaults } from './body-faults.ts';
import { shapeOf } from './kind-of.ts';
import type { Failure, Mismatch } from './pact-results.ts';
import type { Fault } from './verification-result.ts';

/** What differs, a sentence each. */
export function faultsOf({ message, mismatches }: Failure): readonly Fault[] {
  const faults = mismatches.flatMap(faultsOfMismatch);
  if (faults.length > 0) return faults;
  return [{ place: 'interaction', sentence: message ?? 'The verifier says that it failed, and not why.' }];
}

function faultsOfMismatch(mismatch: Mismatch): readonly Fault[] {
  const { type, expected, actual, key } = mismatch;
  switch (type) {
    case 'StatusMismatch':
      return [{ place: 'status', sentence: `The contract expects ${expected}, and the provider answers ${actual}.` }];
    case 'HeaderMismatch':
      return [{ place: `header ${key}`, sentence: headerSentence(mismatch) }];
    case 'BodyTypeMismatch':
      return [{ place: 'body', sentence: `The contract expects ${expected}, and the provider gives ${actual}.` }];
    case 'BodyMismatch':
      return bodyFaults(mismatch);
    default:
      return [{ place: type || 'interaction', sentence: 'It is not as the contract says.' }];
  }
}

function headerSentence({ key, expected, actual, mismatch }: Mismatch): string {
  const wanted = String(expected).replaceAll(/^"|"$/g, '');
  const pattern = / to match '(.*?)'$/s.exec(mismatch)?.[1];
  const expects = `The contract expects ${pattern === undefined ? wanted : `a value like ${pattern}`}`;
  if (actual === '' || actual === undefined || actual === null) return `${expects}, and the header is missing.`;
  const given =
    key.toLowerCase() === 'content-type' ? String(actual) : `a value of another form: ${shapeOf(String(actual))}`;
  return `${expects}, and the provider gives ${given}`.replace(/(?<!\.)$/, '.');
}
