import type { ConformReport } from './conform-options.ts';
import { likenessOf, type CheckResult, type Deviation } from './check.ts';

/** The sections of a report in order, each with its checks. */
export function bySection({ checks }: Pick<ConformReport, 'checks'>) {
  const groups = Map.groupBy(checks, ({ section }) => section);
  return [...groups].toSorted(([one], [other]) => one.localeCompare(other, 'en', { numeric: true }));
}

export function countOf(checks: readonly CheckResult[], outcome: CheckResult['outcome']): number {
  return checks.filter((each) => each.outcome === outcome).length;
}

export function linesOf({ place, expected, got, request, others = [] }: Deviation): [string, ...string[]] {
  const more = others.length > 0 ? [`and ${others.length} more like it`] : [];
  return [`${place}: expected ${expected}, got ${got}`, request, ...more];
}

export function verdictOf({ ok, interrupted, baseUrl, seed, checks }: ConformReport): string {
  const verdict = interrupted ? 'Interrupted' : ok ? 'Conforms' : 'Does not conform';
  const tried = checks.length - countOf(checks, 'not tried');
  return `${verdict}: ${countOf(checks, 'passed')} of ${tried} checks passed, ${baseUrl}, seed ${seed}.`;
}

/** A report as text: a line for each section, then each deviation with its request. */
export function conformText(report: ConformReport): string {
  const { checks, wireNames, notes, coverage } = report;
  const rows = bySection(report).map(([section, own]) => {
    const counts = (['passed', 'failed', 'not tried'] as const).map((outcome) => countOf(own, outcome));
    return `  ${section.padEnd(7)}${counts.map((count) => String(count).padStart(9)).join('')}`;
  });
  const failed = bySection({ checks: checks.filter(({ outcome }) => outcome === 'failed') })
    .flatMap(([, own]) => own)
    .toSorted((one, other) => one.severity.localeCompare(other.severity));
  const alike = Map.groupBy(failed, ({ section, severity, deviations }) =>
    [section, severity, ...deviations.map((each) => likenessOf(each))].join('\n'),
  );
  const reasons = Map.groupBy(
    checks.filter(({ reason }) => reason),
    ({ reason }) => reason,
  );
  const counted = Object.entries(coverage).map(([operation, statuses]) => {
    const each = Object.entries(statuses).map(([status, { requests }]) => `${status} × ${requests}`);
    const fields = Object.keys(statuses[200]?.fields ?? {}).length;
    return `  ${operation}: ${each.join(', ')}${fields > 0 ? `, ${fields} fields` : ''}`;
  });
  return [
    verdictOf(report),
    ...notes,
    ['  section   passed   failed not tried', ...rows].join('\n'),
    ...[...alike.values()].flatMap(([first, ...others]) => {
      if (!first) return [];
      const { section, severity, rule, id, deviations } = first;
      const lines = deviations.map((each) => `  ${linesOf(each).join('\n    ')}`);
      const ids = others.map((each) => each.id).join(', ');
      const more = others.length > 0 ? [`  and ${others.length} more checks like it: ${ids}`] : [];
      return [`${section} ${severity}: ${rule} (${id})`, ...lines, ...more].join('\n');
    }),
    ...[...reasons].map(([reason, those]) => `Not tried, ${reason}:\n  ${those.map(({ id }) => id).join(', ')}`),
    ...(Object.keys(wireNames).length > 0 ? [`For createHrClient:\n  wireNames: ${JSON.stringify(wireNames)}`] : []),
    ['Requests by status, and fields of responses with status 200:', ...counted].join('\n'),
  ].join('\n\n');
}
