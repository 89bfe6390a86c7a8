import type { LineChange } from './line-changes.ts';
import type { Line } from './outline.ts';

/** The declaration that has gained a line, as it was released. */
export interface Gainer {
  /** Whether users can import it. */
  readonly isExported: boolean;
  /** Whether it says that only we make what it describes. */
  readonly isSealed: boolean;
}

const MODEL = /\bZod\w*</;
const OPTIONAL = /^(?:readonly )?(?:\[.*\]|[\w$]+|'[^']*'|"[^"]*")\?[:(<]/;
const OPTIONAL_IN_MODEL = /: (?:z\.)?Zod(?:Default|ExactOptional|Optional|Prefault)</;
const OURS = /^(?:export )?(?:declare )?(?:abstract class|class|const) /;
const LITERAL = /'[^']*'|"[^"]*"/g;
const CLASS = /^(?:export )?(?:declare )?(?:abstract )?class /;
/** What whoever extends or makes one of the class would have to do. */
const ASKED_OF_USERS = /^(?:abstract |(?:protected )?constructor\()/;

/** Whether users can leave a line that a declaration has gained alone, so that their programs go on to compile. */
export function isHarmless({ line, around }: LineChange, { isExported, isSealed }: Gainer): boolean {
  const [declaration] = around;
  // A further overload, or a type beside a value.
  if (!declaration) return true;
  const inModel = around.some(({ head }) => MODEL.test(head));
  if (OPTIONAL.test(line.text)) return true;
  // What a model is made of is seldom exported itself.
  if (inModel || !isExported) return OPTIONAL_IN_MODEL.test(line.text);
  // Users give what is in these.
  if (isInParameters([...around, line])) return false;
  if (CLASS.test(declaration.head) && ASKED_OF_USERS.test(line.text)) return false;
  return isSealed || OURS.test(declaration.head);
}

/** Whether the last of some lines, each within the one before it, stands in the parameters of a function. */
function isInParameters(lines: readonly Line[]): boolean {
  return lines.some(({ head }, index) => {
    const inner = lines[index + 1];
    if (!inner) return false;
    const before = head.split('\n').slice(0, inner.after).join('\n').replaceAll(LITERAL, '');
    return before.split('(').length > before.split(')').length;
  });
}
