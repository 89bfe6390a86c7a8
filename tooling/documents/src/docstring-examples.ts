import { fromMarkdown } from 'mdast-util-from-markdown';

/** The code of an `@example`. */
export interface DocstringExample {
  readonly source: string;
  /** Of its first line of code. */
  readonly line: number;
  readonly code: string;
}

/** The examples in the comments of a source file. */
export function docstringExamples(source: string, text: string): DocstringExample[] {
  return Array.from(text.matchAll(/\/\*\*.*?\*\//gs)).flatMap(({ index, 0: comment }) => {
    const startLine = lineAt(text, index);
    const content = comment.replaceAll(/^ *(\/\*\*|\*\/|\*) ?|\*\/$/gm, '');
    return Array.from(content.matchAll(/^@example\n(.*?)(?=^@\w|(?![^]))/gms)).map((found) => {
      const [, example = ''] = found;
      const offset = lineAt(content, found.index + '@example\n'.length) - 1;
      const fence = fromMarkdown(example).children.find(({ type }) => type === 'code');
      const fenced = fence?.type === 'code' && fence.lang ? fence : undefined;
      const within = fenced ? (fenced.position?.start.line ?? 1) : 0;
      return { source, line: startLine + offset + within, code: fenced?.value ?? example.trimEnd() };
    });
  });
}

/** From 1. */
function lineAt(text: string, index: number): number {
  return text.slice(0, index).split('\n').length;
}
