import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import type { Plugin, Rolldown } from 'vite';

/** What Vite makes of the page, by the paths at which it is served. */
export interface BuiltPage {
  readonly files: ReadonlyMap<string, string>;
  readonly chunk: Rolldown.OutputChunk;
}

const RECIPE = 'A browser and its backend';
const readme = new URL('../../../packages/auth/README.md', import.meta.url);

/** Builds the page for production, from what is published. Its tokens come as the README of `@hr/auth` says. */
export async function buildPage(): Promise<BuiltPage> {
  const built = await build({
    configFile: false,
    root: fileURLToPath(new URL('../page/', import.meta.url)),
    plugins: [recipe(await readFile(readme, 'utf8'))],
    logLevel: 'silent',
    build: {
      write: false,
      rolldownOptions: {
        // Such as about an import that only Node has.
        onLog(_, { message }) {
          throw new Error(message);
        },
      },
    },
  });
  const { output } = built as Rolldown.RolldownOutput;
  const files = output.map(
    (file) => [file.fileName, file.type === 'chunk' ? file.code : file.source.toString()] as const,
  );
  const [chunk] = output;
  return { files: new Map(files), chunk };
}

/** A module of the page that is the code below a heading. */
function recipe(text: string): Plugin {
  const [, code] = text.split(`### ${RECIPE}\n`)[1]?.match(/```ts\n(.*?)```/s) ?? [];
  if (code === undefined) throw new Error(`The README of @hr/auth has no code below "${RECIPE}".`);
  const id = '\0recipe.ts';
  return {
    name: 'recipe',
    resolveId: (source) => (source === 'virtual:a-browser-and-its-backend' ? id : null),
    load: (loaded) => (loaded === id ? { code, moduleType: 'ts' } : null),
  };
}
