import { extname } from 'node:path';
import { parseSync, visitorKeys, type Node, type Program } from 'oxc-parser';
import { SourceError } from './file-findings.ts';

/**
 * Parses TypeScript. Each node has its parent.
 *
 * @throws {SourceError} If the text is not TypeScript.
 */
export function parseTypeScript(path: string, text: string): Program {
  rejectDeepNesting(text);
  const { program, errors } = parseSync(`file${path.endsWith('.d.ts') ? '.d.ts' : extname(path)}`, text);
  const [error] = errors;
  if (error) throw new SourceError(error.labels[0]?.start ?? 0, error.message);
  for (const node of descendants(program)) {
    for (const child of childrenOf(node)) child.parent = node;
  }
  return program;
}

const MAX_DEPTH = 1000;

/** The parser is native code that calls itself for each level. Without room on the stack, it ends the process. */
function rejectDeepNesting(text: string): void {
  let depth = 0;
  for (const { 0: bracket, index } of text.matchAll(/[()[\]{}]/g)) {
    depth += '([{'.includes(bracket) ? 1 : -1;
    if (depth > MAX_DEPTH) throw new SourceError(index, 'It is nested too deeply.');
  }
}

/** A node and all below it, outer ones first. It needs no stack as deep as the code. */
export function* descendants(node: Node): Generator<Node> {
  const pending: Node[] = [node];
  for (let next = pending.pop(); next; next = pending.pop()) {
    yield next;
    pending.push(...childrenOf(next).toReversed());
  }
}

function childrenOf(node: Node): Node[] {
  const fields = node as unknown as Readonly<Record<string, Node | (Node | null)[] | null | undefined>>;
  return (visitorKeys[node.type] ?? []).flatMap((key) => fields[key] ?? []).filter((child) => child !== null);
}

/** The name of a key, such as of a property or a member of a type; undefined if it is computed. */
export function keyName(key: Node, computed: boolean): string | undefined {
  if (key.type === 'Identifier' && !computed) return key.name;
  return stringOf(key);
}

/** The text of a string literal, in quotes of any kind. */
export function stringOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral' || node.quasis.length !== 1) return undefined;
  return node.quasis[0]?.value.cooked ?? undefined;
}

/** The expression itself, without parentheses, assertions, `await` and optional chaining around it. */
export function bare(node: Node): Node {
  switch (node.type) {
    case 'ParenthesizedExpression':
    case 'ChainExpression':
    case 'TSNonNullExpression':
      return bare(node.expression);
    case 'AwaitExpression':
      return bare(node.argument);
    default:
      return node;
  }
}

/** The names of the fields that an object, a pattern or a type has. Those that are computed have none. */
export function fieldsOf(node: Node): string[] {
  return membersOf(node).map(({ name }) => name);
}

/** A member with a name, and the node of its key. */
export interface Member {
  readonly node: Node;
  readonly key: Node;
  readonly name: string;
}

export function membersOf(node: Node): Member[] {
  return partsOf(node).flatMap((member): Member[] => {
    if (member.type === 'JSXAttribute') {
      const { name } = member;
      return name.type === 'JSXIdentifier' ? [{ node: member, key: name, name: name.name }] : [];
    }
    if (!('key' in member) || !('computed' in member)) return [];
    const name = keyName(member.key, member.computed);
    return name === undefined ? [] : [{ node: member, key: member.key, name }];
  });
}

function partsOf(node: Node): readonly Node[] {
  switch (node.type) {
    case 'ObjectExpression':
    case 'ObjectPattern':
      return node.properties;
    case 'TSTypeLiteral':
      return node.members;
    case 'TSInterfaceBody':
      return node.body;
    case 'ClassBody':
      return node.body.filter(({ type }) => type !== 'MethodDefinition');
    case 'JSXOpeningElement':
      return node.attributes;
    default:
      return [];
  }
}
