import type { CheckResult, ConformReport } from './conform-options.ts';

/** The sections of a report in order, each with its checks. */
export function bySection({
  checks,
}: Pick<ConformReport, 'checks'>): [section: string, checks: readonly CheckResult[]][] {
  const groups = Map.groupBy(checks, ({ section }) => section);
  return [...groups].toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
}

export function countOf(checks: readonly CheckResult[], outcome: CheckResult['outcome']): number {
  return checks.filter((each) => each.outcome === outcome).length;
}

/** A report as text: a line for each section, then each deviation with its request. */
export function conformText(report: ConformReport): string {
  const { ok, interrupted, baseUrl, seed, checks, wireNames, notes, coverage } = report;
  const verdict = interrupted ? 'Interrupted' : ok ? 'Conforms' : 'Does not conform';
  const passed = countOf(checks, 'passed');
  const rows = bySection(report).map(([section, own]) => {
    const counts = (['passed', 'failed', 'not tried'] as const).map((outcome) =>
      String(countOf(own, outcome)).padStart(9),
    );
    return `  ${section.padEnd(7)}${counts.join('')}`;
  });
  const failed = checks
    .filter(({ outcome }) => outcome === 'failed')
    .toSorted((one, other) => (one.severity < other.severity ? -1 : 1));
  const reasons = Map.groupBy(
    checks.filter(({ reason }) => reason),
    ({ reason }) => reason,
  );
  const counted = Object.entries(coverage).map(([operation, statuses]) => {
    const each = Object.entries(statuses).map(([status, { requests }]) => `${status} × ${requests}`);
    return `  ${operation}: ${each.join(', ')}, ${Object.keys(statuses[200]?.fields ?? {}).length} fields`;
  });
  return [
    `${verdict}: ${passed} of ${passed + failed.length} checks passed, ${baseUrl}, seed ${seed}.`,
    ['  section   passed   failed not tried', ...rows].join('\n'),
    ...failed.map(({ section, severity, rule, id, deviations }) => {
      const lines = deviations.map(
        ({ place, expected, got, request }) => `  ${place}: expected ${expected}, got ${got}\n    ${request}`,
      );
      return [`${section} ${severity}: ${rule} (${id})`, ...lines].join('\n');
    }),
    ...[...reasons].map(([reason, those]) => `Not tried, ${reason}:\n  ${those.map(({ id }) => id).join(', ')}`),
    ...(Object.keys(wireNames).length > 0 ? [`For createHrClient:\n  wireNames: ${JSON.stringify(wireNames)}`] : []),
    ['Requests by status, and fields of responses with status 200:', ...counted].join('\n'),
    ...notes,
  ].join('\n\n');
}
