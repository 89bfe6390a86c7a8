/** A line of a declaration, with what is within it. */
export interface Line {
  /** What a reader is shown. */
  readonly text: string;
  /** Its text without what is within it: the same line says the same. */
  readonly head: string;
  /** After which of its own parts it stands in the line around it; a line that goes on after a brace has several. */
  readonly after: number;
  readonly within: readonly Line[];
  /** All that it says, whatever the order. */
  readonly all: string;
}

interface Draft {
  readonly depth: number;
  readonly after: number;
  readonly parts: string[];
  readonly within: Draft[];
}

const GOES_ON = /^[})\]]/;
const COMMENT = /^ *\/\//;
const LITERAL = /'[^']*'|"[^"]*"/g;
const LITERALS = /(?:'[^']*'|"[^"]*")(?: \| (?:'[^']*'|"[^"]*"))+/g;

/** The lines of a declaration, without its comments. The literals of a union count as lines within its line. */
export function outline(declaration: string): Line[] {
  const root: Draft = { depth: -1, after: 0, parts: [], within: [] };
  const open = [root];
  for (const line of declaration.split('\n')) {
    const text = line.trim();
    if (text === '' || COMMENT.test(line)) continue;
    const depth = line.length - line.trimStart().length;
    while ((open.at(-1)?.depth ?? -1) > depth) open.pop();
    const before = open.at(-1);
    if (before?.depth === depth && GOES_ON.test(text)) {
      before.parts.push(text);
      continue;
    }
    if (before?.depth === depth) open.pop();
    const around = open.at(-1) ?? root;
    const draft = { depth, after: around.parts.length, parts: [text], within: [] };
    around.within.push(draft);
    open.push(draft);
  }
  return root.within.map(lineOf);
}

function lineOf({ after, parts, within }: Draft): Line {
  const head = parts.map((part) => part.replaceAll(LITERALS, "'…'")).join('\n');
  const literals = parts.flatMap((part, index) =>
    (part.match(LITERALS) ?? []).flatMap((union) =>
      (union.match(LITERAL) ?? []).map((text) => ({
        text,
        head: text,
        after: index,
        within: [],
        all: `${index}${text}`,
      })),
    ),
  );
  const lines = [...literals, ...within.map(lineOf)];
  const all = [`${after}${head}`, ...lines.map((line) => line.all).toSorted()].join('\n');
  return { text: parts.join(' … '), head, after, within: lines, all };
}
