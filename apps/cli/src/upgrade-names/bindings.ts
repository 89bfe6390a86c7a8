import type { Node, Program } from 'oxc-parser';
import { bare, descendants, keyName } from './syntax.ts';

/** A variable, a parameter or another local name. */
export interface Binding {
  readonly name: string;
  /** Its type, if the code states one. */
  readonly type: Node | undefined;
  /** Where its value comes from. */
  readonly source: Source | undefined;
}

/** A value: an expression, an element of an iterable, or the field of an object. */
export type Source = { readonly kind: 'value'; readonly of: Node } | { readonly kind: 'field'; readonly field: string };

/** The local names of a file, by scope. */
export class Bindings {
  /** What is destructured, by pattern. */
  readonly patterns = new Map<Node, Omit<Binding, 'name'>>();
  private readonly scopes = new Map<Node, Map<string, Binding>>();

  constructor(program: Program) {
    for (const node of descendants(program)) this.visit(node);
  }

  /** The binding that a name at this place means; undefined for a global. */
  find(identifier: Node & { name: string }): Binding | undefined {
    for (let node = identifier.parent; node; node = node.parent) {
      const binding = this.scopes.get(node)?.get(identifier.name);
      if (binding) return binding;
    }
    return undefined;
  }

  private visit(node: Node): void {
    switch (node.type) {
      case 'VariableDeclarator': {
        const loop = node.parent?.parent;
        const isElement = loop?.type === 'ForOfStatement' && loop.left === node.parent;
        const value = isElement ? loop.right : node.init;
        const isVar = node.parent?.type === 'VariableDeclaration' && node.parent.kind === 'var';
        this.declarePattern(node.id, scopeOf(node, isVar), value ? { kind: 'value', of: value } : undefined);
        break;
      }
      case 'FunctionDeclaration':
      case 'ClassDeclaration':
        if (node.id && node.parent) this.add(scopeOf(node.parent, false), node.id.name);
        if (node.type === 'FunctionDeclaration') this.declareParameters(node, node.params);
        break;
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        this.declareParameters(node, node.params);
        break;
      case 'CatchClause':
        if (node.param) this.declarePattern(node.param, node, undefined);
        break;
      case 'ImportSpecifier':
      case 'ImportDefaultSpecifier':
      case 'ImportNamespaceSpecifier':
        this.add(scopeOf(node, false), node.local.name);
        break;
      default:
    }
  }

  private declareParameters(node: Node, parameters: readonly Node[]): void {
    const call = node.parent;
    // The callback of `addresses.map(…)` gets its elements; that of `reduce` gets them second, that of `sort` gets two.
    const isCallback = call?.type === 'CallExpression' && call.arguments[0] === node;
    const callee = isCallback ? bare(call.callee) : undefined;
    const method = callee?.type === 'MemberExpression' ? keyName(callee.property, callee.computed) : undefined;
    const places = method?.startsWith('reduce') ? [1] : /sort/i.test(method ?? '') ? [0, 1] : [0];
    for (const [index, parameter] of parameters.entries()) {
      const isElement = callee && places.includes(index);
      const source = callee?.type === 'MemberExpression' ? callee.object : callee;
      this.declarePattern(parameter, node, isElement && source ? { kind: 'value', of: source } : undefined);
    }
  }

  /** `outer` is the type of the pattern around it. */
  private declarePattern(pattern: Node, scope: Node, source: Source | undefined, outer?: Node): void {
    switch (pattern.type) {
      case 'Identifier':
        this.add(scope, pattern.name, pattern.typeAnnotation?.typeAnnotation ?? outer, source);
        break;
      case 'ObjectPattern':
        this.patterns.set(pattern, { type: pattern.typeAnnotation?.typeAnnotation ?? outer, source });
        for (const property of pattern.properties) {
          if (property.type === 'RestElement') {
            this.declarePattern(property.argument, scope, source, pattern.typeAnnotation?.typeAnnotation);
            continue;
          }
          const field = keyName(property.key, property.computed);
          this.declarePattern(property.value, scope, field === undefined ? undefined : { kind: 'field', field });
        }
        break;
      case 'ArrayPattern': {
        const type = pattern.typeAnnotation?.typeAnnotation;
        for (const element of pattern.elements) if (element) this.declarePattern(element, scope, source, type);
        break;
      }
      case 'AssignmentPattern':
        this.declarePattern(pattern.left, scope, source ?? { kind: 'value', of: pattern.right });
        break;
      case 'RestElement':
        this.declarePattern(pattern.argument, scope, source, pattern.typeAnnotation?.typeAnnotation);
        break;
      case 'TSParameterProperty':
        this.declarePattern(pattern.parameter, scope, source);
        break;
      default:
    }
  }

  private add(scope: Node, name: string, type?: Node, source?: Source): void {
    const names = this.scopes.get(scope) ?? new Map<string, Binding>();
    this.scopes.set(scope, names);
    // The first declaration of a name counts: a parameter rather than a variable that repeats it.
    if (!names.has(name)) names.set(name, { name, type, source });
  }
}

const functionScopes: ReadonlySet<string> = new Set<Node['type']>([
  'Program',
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'TSModuleBlock',
  'StaticBlock',
]);
const blockScopes: ReadonlySet<string> = new Set<Node['type']>([
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'CatchClause',
  'SwitchStatement',
]);

/** The innermost scope around a node, or of its function. */
function scopeOf(node: Node, isVar: boolean): Node {
  const { parent } = node;
  if (functionScopes.has(node.type) || (!isVar && blockScopes.has(node.type)) || !parent) return node;
  return scopeOf(parent, isVar);
}
