import type { ApiPackage } from './api-package.ts';
import { extract } from './extract.ts';
import { importOwn } from './import-own.ts';
import { modelsOf } from './models.ts';
import { namelessTypes } from './nameless-types.ts';
import { writeReport } from './report-file.ts';
import { undocumented, withoutPlainTags } from './tags.ts';
import { showTypeOnly } from './type-only.ts';

/** What users can rely on of a package, as it was built. */
export interface ApiReport {
  readonly package: ApiPackage;
  readonly text: string;
  /** What must not stay so, in sentences. */
  readonly faults: readonly string[];
}

/**
 * The reports of packages.
 *
 * @throws {Error} When one was not built.
 */
export async function apiReports(packages: readonly ApiPackage[]): Promise<ApiReport[]> {
  const extracted = extract(packages);
  return Promise.all(
    packages.map(async (one, index) => {
      const found = extracted[index] ?? [];
      const told = await Promise.all(
        found.map((section, place) => showTypeOnly(withoutPlainTags(section), one.entryPoints[place]?.module ?? '')),
      );
      const sections = importOwn(told);
      const models = await Promise.all(
        sections.map((section, place) => modelsOf(section, one.entryPoints[place]?.module ?? '')),
      );
      return {
        package: one,
        text: writeReport(one.name, { terms: one.terms, sections, models: models.flat() }),
        faults: [...found.flatMap(undocumented), ...sections.flatMap(namelessTypes)],
      };
    }),
  );
}
