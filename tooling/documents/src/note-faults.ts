import { basename } from 'node:path';
import type { CodeBlock } from './code-block.ts';
import { dataLanguages } from './data-faults.ts';

/** What of a block is checked here. */
const CHECKED = new Set(['ts', 'sh', ...dataLanguages]);

/** What is wrong with how a block says that it is checked, where nothing here can. */
export async function noteFaults(block: CodeBlock, read: (path: string) => Promise<string>): Promise<string[]> {
  const { document, line, language, note, isOutput } = block;
  const place = `${document}:${line}`;
  if (note === undefined) {
    if (CHECKED.has(language) || isOutput) return [];
    const kind = language === '' ? 'without a language' : `of ${language}`;
    return [
      `${place}: nothing checks a block ${kind}: say above it <!-- checked by FILE --> or <!-- unchecked: WHY -->`,
    ];
  }
  const [, test] = /^checked by (.+)$/.exec(note) ?? [];
  if (test === undefined) return [];
  const name = basename(document);
  const text = await read(test).catch(() => undefined);
  if (text === undefined) return [`${place}: there is no ${test}`];
  return text.includes(name) ? [] : [`${place}: ${test} does not read ${name}`];
}
