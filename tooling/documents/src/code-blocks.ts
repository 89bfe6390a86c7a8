import MarkdownIt from 'markdown-it';

/** A fenced block of a page. */
export interface CodeBlock {
  readonly page: string;
  /** Of its first line of code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The file that it is, if the paragraph above is nothing but the name of one. */
  readonly fileName: string | undefined;
  /** What the program prints, if a block `text` follows. */
  readonly output: string | undefined;
  /** Whether it is the output of a program above. */
  readonly isOutput: boolean;
  /** Whether `<!-- checked by FILE -->` or `<!-- unchecked: WHY -->` stands above it. */
  readonly isExempt: boolean;
}

const parser = new MarkdownIt({ html: true });

export function codeBlocks(page: string, markdown: string): CodeBlock[] {
  const tokens = parser.parse(markdown, {});
  const codeIn = (index: number, language: string): string | undefined => {
    const { type, info, content } = tokens[index] ?? {};
    return type === 'fence' && info === language ? content : undefined;
  };
  return tokens.flatMap(({ type, info: language, content: code, map }, index) => {
    if (type !== 'fence') return [];
    const above = tokens[index - 1]?.type;
    const [, fileName] =
      above === 'paragraph_close' ? (/^`([\w./-]+\.\w+)`$/.exec(tokens[index - 2]?.content ?? '') ?? []) : [];
    const isExempt = above === 'html_block' && /^<!-- (checked by|unchecked:) /.test(tokens[index - 1]?.content ?? '');
    const output = language === 'ts' ? codeIn(index + 1, 'text') : undefined;
    const isOutput = language === 'text' && codeIn(index - 1, 'ts') !== undefined;
    return [{ page, line: (map?.[0] ?? 0) + 2, language, code, fileName, output, isOutput, isExempt }];
  });
}
