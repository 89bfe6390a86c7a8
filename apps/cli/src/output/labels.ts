import { nameIn, type Label, type LabelKind, type Language } from '@hr/text/labels';
import type { Column } from './record-kind.ts';

/** What has labels, by the names of the columns with its keys. */
const labelled: Partial<Record<LabelKind, RegExp>> = {
  bookingKey: /(?:^|\.)key$/,
  compensationComponent: /(?:^|\.)compensationComponentId$/,
  group: /^groups(?:\.id)?$/,
  personGroup: /(?:^|\.)personGroupCode$/,
  legalEntity: /^legalEntity\.id$/,
  exitReason: /^exitReasonId$/,
};

/**
 * Columns with a further one beside each column of keys, such as `keyLabel` beside `key`. Its names are in the language of
 * `--excel`, or else in that of the locale.
 */
export function withLabels(
  columns: readonly Column[],
  labels: readonly Label[],
  excel: Language | true | undefined,
  env: NodeJS.ProcessEnv,
): Column[] {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const language = typeof excel === 'string' ? excel : /^de(?![a-z])/i.test(locale) ? 'de' : 'en';
  const names = new Map(labels.map((label) => [`${label.kind}/${label.key}`, nameIn(language, label)]));
  return columns.flatMap((column) => {
    const { name, value } = column;
    const [kind] = Object.entries(labelled).find(([, pattern]) => pattern.test(name)) ?? [];
    if (kind === undefined) return [column];
    const labelOf = (row: object): string | undefined => {
      const found = value(row);
      const keys = Array.isArray(found) ? found.map((element: { id: string }) => element.id) : [found as string];
      return keys.flatMap((key) => names.get(`${kind}/${key}`) || []).join(', ') || undefined;
    };
    return [column, { name: `${name}Label`, type: 'string', value: labelOf }];
  });
}
