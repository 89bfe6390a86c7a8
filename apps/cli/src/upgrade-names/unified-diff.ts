import { styleText } from 'node:util';
import { FILE_HEADERS_ONLY, formatPatch } from 'diff';

const CONTEXT_LINES = 3;

interface Hunk {
  /** Index of its first line. */
  start: number;
  /** Index after its last line. */
  end: number;
}

/**
 * The unified diff of a file, as `git apply` takes it. Both texts have the same lines, except for their names: so it
 * takes no search, which would take minutes for a large file with a change in every second line.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  const [oldLines, newLines] = [linesOf(before), linesOf(after)];
  const isChanged = (index: number): boolean => oldLines[index] !== newLines[index];
  const hunks: Hunk[] = [];
  for (const index of oldLines.keys()) {
    if (!isChanged(index)) continue;
    const start = Math.max(0, index - CONTEXT_LINES);
    const end = Math.min(oldLines.length, index + CONTEXT_LINES + 1);
    const last = hunks.at(-1);
    if (last && start <= last.end) last.end = end;
    else hunks.push({ start, end });
  }
  const patch = {
    oldFileName: `a/${path}`,
    newFileName: `b/${path}`,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks.map(({ start, end }) => {
      const lines: string[] = [];
      let added: string[] = [];
      for (let index = start; index < end; index++) {
        if (isChanged(index)) {
          lines.push(...marked('-', oldLines[index]));
          added.push(...marked('+', newLines[index]));
        } else {
          lines.push(...added, ...marked(' ', oldLines[index]));
          added = [];
        }
      }
      const count = end - start;
      return {
        oldStart: start + 1,
        oldLines: count,
        newStart: start + 1,
        newLines: count,
        lines: [...lines, ...added],
      };
    }),
  };
  return formatPatch(patch, FILE_HEADERS_ONLY);
}

/** The lines, each with its line end. */
function linesOf(text: string): string[] {
  return text.split(/(?<=\n)/);
}

function marked(mark: string, line = ''): string[] {
  return line.endsWith('\n') ? [mark + line.slice(0, -1)] : [mark + line, '\\ No newline at end of file'];
}

/** The diff in the colors of Git. */
export function colored(diff: string): string {
  const colors = { '-': 'red', '+': 'green', '@': 'cyan' } as const;
  return diff.replaceAll(/^(?!--- |\+\+\+ )([-+@]).*$/gm, (line, mark: keyof typeof colors) =>
    styleText(colors[mark], line, { validateStream: false }),
  );
}
