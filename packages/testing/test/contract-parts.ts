import type { TestProject } from 'vitest/node';
import { PartFolder } from '../src/pact/vitest/part-folder.ts';

/** Lets tests of this package run interactions whose contracts nobody keeps. */
export function setup({ config, provide }: TestProject): () => void {
  const folder = new PartFolder();
  provide('hr-contracts', { parts: folder.path, root: config.root });
  return () => folder[Symbol.dispose]();
}
