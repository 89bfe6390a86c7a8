import { fileURLToPath } from 'node:url';
import { build } from 'rolldown';

/** The scripts of a page by their names, as a user's bundler makes them: ky is one of its own. */
export async function bundlePage(program: URL): Promise<Map<string, string>> {
  const { output } = await build({
    input: fileURLToPath(program),
    platform: 'browser',
    resolve: { conditionNames: ['@hr/source'] },
    output: { minify: true },
    write: false,
    // Such as about an import that only Node has.
    onLog(_, { message }) {
      throw new Error(message);
    },
  });
  return new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : '']));
}
