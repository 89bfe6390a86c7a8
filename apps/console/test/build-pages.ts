import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/** Builds the pages that the tests open, as users get them. */
export async function setup(): Promise<void> {
  const { NODE_ENV = 'test' } = process.env;
  process.env['NODE_ENV'] = 'production';
  await build({ root: fileURLToPath(new URL('..', import.meta.url)), logLevel: 'warn' });
  process.env['NODE_ENV'] = NODE_ENV;
}
