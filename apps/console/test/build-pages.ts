import { buildPages } from '../src/build-pages.ts';

/** Builds the pages that the tests open, as users get them, unless they are built. */
export async function setup(): Promise<void> {
  const { NODE_ENV = 'test' } = process.env;
  process.env['NODE_ENV'] = 'production';
  await buildPages();
  process.env['NODE_ENV'] = NODE_ENV;
}
