import { mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';

/** A package that was built. */
export interface BuiltPackage {
  readonly name: string;
  readonly folder: string;
  readonly entryPoints: readonly { readonly namespace: string; readonly types: string }[];
}

/** As strict as a user can be. `dom` has the names that Node.js and browsers share. */
export const compilerOptions = {
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'dom'],
  module: 'nodenext',
  types: [],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: true,
};

/**
 * The code that API Extractor writes for each package that was built: its declarations, and a namespace for each entry
 * point with the names that users can import.
 *
 * @throws {Error} When something was not built, or cannot be read.
 */
export function extract(packages: readonly BuiltPackage[]): string[] {
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'hr-api-'));
  const folder = temporary.path;
  const files = packages.map(({ name, entryPoints }) => {
    const file = join(folder, `${name.replace('/', '-')}.d.ts`);
    const lines = entryPoints.map((one) => `export * as ${one.namespace} from '${relative(folder, one.types)}';\n`);
    writeFileSync(file, lines.join(''));
    return file;
  });
  // A report only names the types of other packages. An empty one in their place saves most of the time.
  const nothing = join(folder, 'node_modules/nothing/index.d.ts');
  mkdirSync(dirname(nothing), { recursive: true });
  writeFileSync(nothing, 'export {};\n');
  const overrideTsconfig = { compilerOptions: { ...compilerOptions, paths: { '*': [nothing] } }, files };
  let compilerState: CompilerState | undefined;
  return packages.map((one, index) => {
    const config = ExtractorConfig.prepare({
      configObject: {
        projectFolder: one.folder,
        mainEntryPointFilePath: files[index] ?? '',
        newlineKind: 'lf',
        compiler: { overrideTsconfig },
        apiReport: {
          enabled: true,
          reportFileName: 'report',
          reportFolder: folder,
          reportTempFolder: folder,
          // Types that users see in others, but cannot import.
          includeForgottenExports: true,
        },
      },
      configObjectFullPath: undefined,
      packageJsonFullPath: join(one.folder, 'package.json'),
    });
    compilerState ??= CompilerState.create(config, { additionalEntryPoints: files });
    const errors: string[] = [];
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback(message) {
        if (message.logLevel === ExtractorLogLevel.Error) errors.push(message.text);
        message.handled = true;
      },
    });
    if (errors.length > 0) throw new Error(`${one.name} cannot be read: ${errors.join('; ')}`);
    const report = readFileSync(join(folder, config.reportConfigs[0]?.fileName ?? ''), 'utf8');
    return /^```ts\n(.*?)^```$/ms.exec(report)?.[1]?.trim() ?? '';
  });
}
