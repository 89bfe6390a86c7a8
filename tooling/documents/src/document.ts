import GithubSlugger from 'github-slugger';
import type { Code, Nodes, Parent, RootContent } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';
import type { CodeBlock } from './code-block.ts';

/** A page, as far as it can be wrong. */
export interface Document {
  readonly path: string;
  readonly blocks: readonly CodeBlock[];
  readonly links: readonly { readonly line: number; readonly url: string }[];
  /** What a link to a heading says after its `#`. */
  readonly anchors: ReadonlySet<string>;
}

const FILE_NAME = /^[\w./-]+\.\w+$/;

export function readDocument(path: string, markdown: string): Document {
  const nodes = [...within(fromMarkdown(markdown))];
  const slugger = new GithubSlugger();
  return {
    path,
    blocks: nodes.flatMap((node) => ('children' in node ? blocksOf(path, node) : [])),
    links: nodes
      .filter((node) => node.type === 'link' || node.type === 'definition' || node.type === 'image')
      .map(({ position, url }) => ({ line: position?.start.line ?? 0, url })),
    anchors: new Set(nodes.filter(({ type }) => type === 'heading').map((node) => slugger.slug(toString(node)))),
  };
}

function* within(node: Nodes): Generator<Nodes> {
  yield node;
  if ('children' in node) for (const child of node.children) yield* within(child);
}

function blocksOf(document: string, { children }: Parent): CodeBlock[] {
  return children.flatMap((node, index) => {
    if (node.type !== 'code') return [];
    const note = noteOf(children[index - 1]);
    const [before, after] = [children[index - (note === undefined ? 1 : 2)], children[index + 1]];
    return {
      document,
      line: (node.position?.start.line ?? 0) + 1,
      language: node.lang ?? '',
      code: node.value,
      fileName: fileNameOf(before),
      output: isProgram(node) && isText(after) ? `${after.value}\n` : undefined,
      isOutput: isText(node) && isProgram(before),
      note,
    };
  });
}

function isProgram(node: RootContent | undefined): boolean {
  return node?.type === 'code' && node.lang === 'ts';
}

function isText(node: RootContent | undefined): node is Code {
  return node?.type === 'code' && node.lang === 'text';
}

function noteOf(node: RootContent | undefined): string | undefined {
  return node?.type === 'html' ? /^<!-- (checked by .+|unchecked: .+) -->$/.exec(node.value)?.[1] : undefined;
}

function fileNameOf(node: RootContent | undefined): string | undefined {
  const [only, ...others] = node?.type === 'paragraph' ? node.children : [];
  return only?.type === 'inlineCode' && others.length === 0 && FILE_NAME.test(only.value) ? only.value : undefined;
}
