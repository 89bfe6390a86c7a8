import { readFile } from 'node:fs/promises';

/** Writes the packages that a process has loaded to the file `LOADED`, at its end. */
const hook = `
  import { writeFileSync } from 'node:fs';
  import { registerHooks } from 'node:module';
  const packages = new Set();
  registerHooks({
    load(url, context, next) {
      packages.add(/.*\\/(?:node_modules|packages)\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(url)?.[1]);
      return next(url, context);
    },
  });
  process.on('exit', () => writeFileSync(process.env.LOADED, [...packages].join(' ')));
`;

/** The environment of a process whose packages {@link loadedPackages} reads from `file` when it has ended. */
export function recordPackages(file: string): { readonly NODE_OPTIONS: string; readonly LOADED: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hook)}`, LOADED: file };
}

/** The names of the packages; one of this workspace has that of its folder. */
export async function loadedPackages(file: string): Promise<string[]> {
  return (await readFile(file, 'utf8')).split(' ');
}
