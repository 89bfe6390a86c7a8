import type { ConformReport } from './conform-options.ts';
import type { CheckResult } from './check.ts';
import { bySection, countOf, linesOf } from './report-text.ts';

/** Text for XML and HTML. Control characters have no form in XML. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, ' ')
    .replaceAll(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);
}

/** A report as JUnit XML: a suite for each section, a case for each check. */
export function conformJunit(report: ConformReport): string {
  const suites = bySection(report).map(([section, checks]) => {
    const failures = checks.filter(({ outcome, severity }) => outcome === 'failed' && severity === 'must').length;
    const counts = `tests="${checks.length}" failures="${failures}" skipped="${countOf(checks, 'not tried')}"`;
    return `  <testsuite name="section ${section}" ${counts}>\n${checks.map(testCase).join('\n')}\n  </testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="HR Cloud">\n${suites.join('\n')}\n</testsuites>\n`;
}

function testCase({ id, section, severity, rule, outcome, reason = '', deviations }: CheckResult): string {
  const text = deviations.map((each) => escaped(linesOf(each).join('. '))).join('\n');
  const failed =
    severity === 'must' ? `<failure message="${escaped(rule)}">${text}</failure>` : `<system-out>${text}</system-out>`;
  const content = { passed: '', failed, 'not tried': `<skipped message="${escaped(reason)}"/>` }[outcome];
  return `    <testcase classname="section ${section}" name="${escaped(`${id}: ${rule}`)}">${content}</testcase>`;
}
