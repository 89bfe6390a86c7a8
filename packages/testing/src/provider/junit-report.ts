import type { Fault, VerificationResult, VerifiedInteraction } from './verification-result.ts';

/** The result as JUnit XML: a suite for each consumer, a test case for each interaction. */
export function junitReport({ provider, interactions, faults }: VerificationResult): string {
  const consumers = [...new Set(interactions.map(({ consumer }) => consumer))];
  const suites = consumers.map((consumer) => {
    const own = interactions.filter((each) => each.consumer === consumer);
    return suite(
      consumer,
      own.map((each) => testCase(provider, each)),
      own.filter(isFailure).length,
    );
  });
  const general =
    faults.length > 0
      ? [
          suite(
            'verification',
            [`<testcase name="verification" classname=${quoted(provider)}>${failure(faults)}</testcase>`],
            1,
          ),
        ]
      : [];
  return ['<?xml version="1.0" encoding="UTF-8"?>', '<testsuites>', ...general, ...suites, '</testsuites>', ''].join(
    '\n',
  );
}

function suite(name: string, cases: readonly string[], failures: number): string {
  const opening = `<testsuite name=${quoted(name)} tests="${cases.length}" failures="${failures}">`;
  return [opening, ...cases, '</testsuite>'].join('\n');
}

function testCase(provider: string, { consumer, description, ok, pending, faults }: VerifiedInteraction): string {
  const opening = `<testcase name=${quoted(description)} classname=${quoted(`${provider}.${consumer}`)}`;
  if (ok) return `${opening}/>`;
  return `${opening}>${pending ? `<skipped message=${quoted(`pending: ${textOf(faults)}`)}/>` : failure(faults)}</testcase>`;
}

function isFailure({ ok, pending }: VerifiedInteraction): boolean {
  return !ok && !pending;
}

function failure(faults: readonly Fault[]): string {
  return `<failure message=${quoted(`${faults[0]?.place}: ${faults[0]?.sentence}`)}>${escaped(textOf(faults))}</failure>`;
}

function textOf(faults: readonly Fault[]): string {
  return faults.map(({ place, sentence }) => `${place}: ${sentence}`).join('\n');
}

function quoted(text: string): string {
  return `"${escaped(text)}"`;
}

const references: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML 1.0 has no way to write most control characters, lone surrogates, and two more; they become U+FFFD. */
function escaped(text: string): string {
  return text
    .replaceAll(/[&<>"]/g, (character) => references[character] ?? character)
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
