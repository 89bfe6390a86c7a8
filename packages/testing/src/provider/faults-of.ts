import { bodyFaults } from './body-faults.ts';
import { shapeOf } from '../contract/kind-of.ts';
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
  if (actual === '' || actual === undefined || actual === null)
    return 'The contract expects this header, and it is missing.';
  const pattern = / to match '(.*?)'$/s.exec(mismatch)?.[1];
  const isType = key.toLowerCase() === 'content-type';
  const wanted = pattern === undefined || isType ? expected : `a value like ${pattern}`;
  const given = isType ? `${actual}.` : `a value of another form: ${shapeOf(String(actual))}`;
  return `The contract expects ${wanted}, and the provider gives ${given}`;
}
