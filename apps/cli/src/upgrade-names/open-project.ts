import { createRequire } from 'node:module';
import { dirname, resolve } from 'node:path';
import type ts from 'typescript-6';
import { CliError, exitCodes } from '../cli-error.ts';

type TypeScript = typeof ts;

/** The program of a `tsconfig.json`. */
export interface Project {
  readonly ts: TypeScript;
  readonly service: ts.LanguageService;
  /** The program before a text changed. */
  readonly program: ts.Program;
  /** The texts that may change. The service reads them instead of the files. */
  readonly texts: Map<string, string>;
}

/**
 * Opens the project of the nearest `tsconfig.json` above a file, or the one that it references and that has the file.
 *
 * @throws {CliError} If no project has the file, or if it has no TypeScript with a language service.
 */
export function openProject(file: string, texts: Map<string, string>): Project {
  const typeScript = typeScriptOf(file);
  const { sys } = typeScript;
  const nearest = typeScript.findConfigFile(dirname(file), (name) => sys.fileExists(name));
  const configs = new Set(nearest === undefined ? [] : [nearest]);
  for (const config of configs) {
    const host = { ...sys, onUnRecoverableConfigFileDiagnostic: () => undefined };
    const parsed = typeScript.getParsedCommandLineOfConfigFile(config, {}, host);
    const service = typeScript.createLanguageService({
      ...sys,
      useCaseSensitiveFileNames: () => sys.useCaseSensitiveFileNames,
      getCurrentDirectory: () => dirname(config),
      getCompilationSettings: () => parsed?.options ?? {},
      getDefaultLibFileName: typeScript.getDefaultLibFilePath,
      getScriptFileNames: () => parsed?.fileNames ?? [],
      // A text is a version of its own.
      getScriptVersion: (name) => texts.get(resolve(name)) ?? '',
      getScriptSnapshot: (name) => {
        const text = texts.get(resolve(name)) ?? sys.readFile(name);
        return text === undefined ? undefined : typeScript.ScriptSnapshot.fromString(text);
      },
    });
    const program = service.getProgram();
    if (program?.getSourceFile(file)) return { ts: typeScript, service, program, texts };
    // The loop goes on with them.
    for (const each of parsed?.projectReferences ?? []) configs.add(typeScript.resolveProjectReferencePath(each));
  }
  throw new CliError(
    `--type: no tsconfig.json includes ${file}. Name a file of a TypeScript project.`,
    exitCodes.usage,
  );
}

/** The TypeScript of a project, or the package with the language service that TypeScript 7 does not have. */
function typeScriptOf(file: string): TypeScript {
  const load = createRequire(file);
  for (const name of ['typescript', '@typescript/typescript6']) {
    try {
      const found = load(name) as Partial<TypeScript>;
      if (found.createLanguageService) return found as TypeScript;
    } catch {
      // It is not installed.
    }
  }
  const message = `--type: the project of ${file} has no TypeScript with a language service, or only version 7.`;
  throw new CliError(`${message} Run: npm install -D @typescript/typescript6`, exitCodes.usage);
}

/** Whether a file is the project's own, and not one of a package. */
export function isOwn({ fileName }: ts.SourceFile): boolean {
  return !fileName.includes('/node_modules/');
}
