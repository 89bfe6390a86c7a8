import { parseAllDocuments } from 'yaml';
import type { CodeBlock } from './code-block.ts';

type Parse = (code: string) => readonly string[];

/** How each language of data is read, and what is wrong with what does not parse. */
const languages: Readonly<Record<string, Parse>> = {
  // One value, or one a line.
  json: (code) => (isJson(code) || code.split('\n').every(isJson) ? [] : ['this is no JSON']),
  ini: (code) => (code.split('\n').every((line) => /^($|[;#]|[^\s=]+ ?= ?\S)/.test(line)) ? [] : ['this is no INI']),
  yaml: (code) => parseAllDocuments(code).flatMap(({ errors }) => errors.map(({ message }) => message)),
};

export const dataLanguages: readonly string[] = Object.keys(languages);

/** What is wrong with a block of data. */
export function dataFaults({ document, line, language, code }: CodeBlock): string[] {
  return (languages[language]?.(code) ?? []).map((fault) => `${document}:${line}: ${fault}`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
