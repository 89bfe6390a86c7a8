import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import type { ApiPackage, EntryPoint } from './api-package.ts';
import { readSection } from './section.ts';
import type { Section } from './section.ts';

/** What every platform of our users has; `dom` for the names that Node.js and browsers share. */
const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/** A package without types, in a folder. */
const NOTHING = 'node_modules/nothing/index.d.ts';

/** The code in a report. */
const CODE = /^```ts$(.*)^```$/ms;

/**
 * What API Extractor finds in packages that were built: the sections of each, in the order of their entry points.
 *
 * @throws {Error} When something was not built, or cannot be read.
 */
export function extract(packages: readonly ApiPackage[]): Section[][] {
  const folder = mkdtempSync(join(tmpdir(), 'hr-api-'));
  const files = packages.flatMap(({ entryPoints }) => entryPoints.map(({ types }) => types));
  let compilerState: CompilerState | undefined;
  try {
    mkdirSync(dirname(join(folder, NOTHING)), { recursive: true });
    writeFileSync(join(folder, NOTHING), 'export {};\n');
    return packages.map((one) =>
      one.entryPoints.map((entryPoint) => {
        const config = configOf(one, entryPoint, files, folder);
        // One compiler reads what all of them build on.
        compilerState ??= CompilerState.create(config, { additionalEntryPoints: files });
        const [, code = ''] = CODE.exec(reportOf(config, compilerState)) ?? [];
        return readSection(entryPoint.specifier, code);
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function configOf(
  { folder: projectFolder }: ApiPackage,
  { types }: EntryPoint,
  files: readonly string[],
  reportFolder: string,
): ExtractorConfig {
  // A report names what others declare, and does not depend on what that is. Not to read it is most of the work saved.
  const paths = { '*': [join(reportFolder, NOTHING)] };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder,
      mainEntryPointFilePath: types,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions: { ...compilerOptions, paths }, files } },
      apiReport: {
        enabled: true,
        reportFileName: 'report',
        reportFolder,
        reportTempFolder: reportFolder,
        // What users cannot name, but meet in what they can, is not theirs to lose either.
        includeForgottenExports: true,
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, 'package.json'),
  });
}

function reportOf(config: ExtractorConfig, compilerState: CompilerState): string {
  const [report] = config.reportConfigs;
  const errors: string[] = [];
  Extractor.invoke(config, {
    compilerState,
    localBuild: true,
    messageCallback(message) {
      if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.text);
      message.handled = true;
    },
  });
  if (errors.length > 0) throw new Error(`${config.mainEntryPointFilePath} cannot be read: ${errors.join('; ')}`);
  return readFileSync(join(config.reportFolder, report?.fileName ?? ''), 'utf8');
}
