import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Program } from './program.ts';

/** Where programs find the built packages, as a project that installed them does. */
export const PROGRAMS_FOLDER = fileURLToPath(new URL('../reports/programs', import.meta.url));

/** As strict as a project of a user can be. */
const compilerOptions = {
  noEmit: true,
  module: 'nodenext',
  target: 'es2024',
  lib: ['es2024', 'esnext.disposable', 'esnext.iterator'],
  types: ['node'],
  allowImportingTsExtensions: true,
  strict: true,
  erasableSyntaxOnly: true,
  exactOptionalPropertyTypes: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noPropertyAccessFromIndexSignature: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: true,
};

export async function writePrograms(programs: readonly Program[]): Promise<void> {
  await rm(PROGRAMS_FOLDER, { recursive: true, force: true });
  await Promise.all(
    programs.map(async ({ file, text }) => {
      const path = join(PROGRAMS_FOLDER, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
    }),
  );
  await writeFile(join(PROGRAMS_FOLDER, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['**/*.ts'] }));
}
