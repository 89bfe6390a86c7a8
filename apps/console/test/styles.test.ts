import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('..', import.meta.url));

test('each component of the library that a screen imports has its styles', () => {
  const styles = readFileSync(`${folder}src/shell/styles.css`, 'utf8');
  const available = new Set(
    globSync('node_modules/@mantine/core/styles/*.css', { cwd: folder }).map((path) =>
      path.replace(/^.*\/|\.css$/g, ''),
    ),
  );
  const imported = globSync('src/**/*.tsx', { cwd: folder }).flatMap((path) =>
    Array.from(
      readFileSync(`${folder}${path}`, 'utf8').matchAll(/import \{([^}]*)\} from '@mantine\/core'/g),
      ([, names = '']) => names.split(',').map((name) => name.trim()),
    ).flat(),
  );
  const missing = imported.filter((name) => available.has(name) && !styles.includes(`/styles/${name}.css'`));
  expect(available.size).toBeGreaterThan(50);
  expect(missing, 'Import their styles in src/shell/styles.css.').toEqual([]);
});
