import type { ConformReport } from './conform-options.ts';
import { escaped } from './report-junit.ts';
import { bySection, countOf, linesOf, verdictOf } from './report-text.ts';

const STYLE = `body{font:1rem/1.5 system-ui;max-width:70rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid #ccc;padding:.3rem .6rem;text-align:left;vertical-align:top}pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0}
td:first-child{min-width:10rem}td:last-child{width:45%}.failed{color:#a00}.passed{color:#060}.not-tried{color:#555}`;

/** A report as one HTML page that loads nothing. */
export function conformHtml(report: ConformReport): string {
  const sections = bySection(report).map(([section, checks]) => {
    const rows = checks.map(({ id, severity, rule, outcome, reason = '', deviations }) => {
      const text = [reason, ...deviations.flatMap((each) => linesOf(each))]
        .filter(Boolean)
        .map((line) => escaped(line));
      const details = text.length > 0 ? `<pre>${text.join('\n')}</pre>` : '';
      return row([
        id,
        severity,
        escaped(rule),
        `<span class="${outcome.replace(' ', '-')}">${outcome}</span>`,
        details,
      ]);
    });
    const score = `${countOf(checks, 'passed')} of ${checks.length - countOf(checks, 'not tried')} passed`;
    const color = countOf(checks, 'failed') > 0 ? ' class="failed"' : '';
    return `<h2${color}>Section ${section}: ${score}</h2>${table(['check', 'severity', 'rule', 'outcome', 'details'], rows)}`;
  });
  const coverage = Object.entries(report.coverage).flatMap(([operation, statuses]) =>
    Object.entries(statuses).map(([status, { requests, fields }]) => {
      const counts = Object.entries(fields).map(([field, count]) => escaped(`${field} ${count}`));
      return row([operation, status, requests, counts.join('<br>')]);
    }),
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>HR Cloud conformance</title><style>${STYLE}</style>
<h1>HR Cloud conformance</h1>${[verdictOf(report), ...report.notes].map((note) => `<p>${escaped(note)}</p>`).join('')}
${sections.join('\n')}<h2>Coverage</h2>${table(['operation', 'status', 'requests', 'fields'], coverage)}</html>\n`;
}

function row(cells: readonly (string | number)[]): string {
  return `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
}

function table(head: readonly string[], rows: readonly string[]): string {
  return `<table><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr>${rows.join('')}</table>`;
}
