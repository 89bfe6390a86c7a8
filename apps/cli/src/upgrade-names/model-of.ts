import type { Node, Program, VariableDeclarator } from 'oxc-parser';
import { Bindings, type Binding, type Source } from './bindings.ts';
import { formerNames, hasOtherShape, modelOfFields, type RenamedModel } from './renamed-model.ts';
import { bare, descendants, fieldsOf, keyName, membersOf, stringOf } from './syntax.ts';
import { mentionOf, type TypeLookup } from './type-facts.ts';

/** The model of a value, `other` if it is known to be none, undefined if nothing tells. */
type Model = RenamedModel | 'other' | undefined;

const elementMethods = new Set([
  'at',
  'concat',
  'filter',
  'find',
  'findLast',
  'pop',
  'shift',
  'slice',
  'toReversed',
  'toSorted',
]);

const builtIns: readonly object[] = [Array.prototype, Map.prototype, Promise.prototype, String.prototype];

/** Finds the models of the values of a file: by their types, by where they come from and by the fields that the code uses. */
export class ModelOf {
  private readonly bindings: Bindings;
  private readonly lookup: TypeLookup;
  /** The fields that the code uses of a value, by its place, such as `person.address`. */
  private readonly used = new Map<string, Set<string>>();
  private readonly ids = new Map<Binding, number>();
  /** Values whose model is being found, as code can refer to itself. */
  private readonly open = new Set<Node>();

  constructor(program: Program, lookup: TypeLookup) {
    this.lookup = lookup;
    this.bindings = new Bindings(program);
    for (const node of descendants(program)) {
      if (node.type === 'MemberExpression') this.use(node.object, [keyName(node.property, node.computed)]);
      if (node.type === 'VariableDeclarator' && node.init && node.id.type === 'ObjectPattern') {
        this.use(node.init, fieldsOf(node.id));
      }
    }
  }

  /** The fields that the code uses of this value, wherever in the file. */
  usedFields(value: Node): ReadonlySet<string> {
    return this.used.get(this.placeOf(bare(value)) ?? '') ?? new Set();
  }

  value(wrapped: Node): Model {
    const node = bare(wrapped);
    if (this.open.has(node)) return undefined;
    this.open.add(node);
    try {
      return this.expression(node);
    } finally {
      this.open.delete(node);
    }
  }

  private expression(node: Node): Model {
    switch (node.type) {
      case 'Identifier':
        return this.identifier(node);
      case 'MemberExpression': {
        const field = keyName(node.property, node.computed);
        if (field === undefined) return this.value(node.object);
        return this.usedAs(node, this.lookup.ofField(field));
      }
      case 'CallExpression':
        return this.call(node.callee, node.typeArguments?.params ?? []);
      case 'NewExpression':
        return node.callee.type === 'Identifier'
          ? this.lookup.ofMention({ types: [node.callee.name], fields: [] })
          : undefined;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        return this.type(node.typeAnnotation) ?? this.value(node.expression);
      case 'LogicalExpression':
        return this.value(node.left) ?? this.value(node.right);
      case 'ConditionalExpression':
        return this.value(node.consequent) ?? this.value(node.alternate);
      case 'AssignmentExpression':
        return this.value(node.right);
      case 'ArrayExpression': {
        const [first] = node.elements;
        return first ? this.value(first.type === 'SpreadElement' ? first.argument : first) : undefined;
      }
      case 'ObjectExpression':
        return this.object(node);
      case 'ThisExpression': {
        let outer: Node | null | undefined = node.parent;
        while (outer && outer.type !== 'ClassBody') outer = outer.parent;
        return outer ? this.typeBody(outer) : undefined;
      }
      default:
        return undefined;
    }
  }

  private identifier(node: Node & { name: string }): Model {
    const binding = this.bindings.find(node);
    const stated = binding?.type && this.type(binding.type);
    if (stated !== undefined) return stated;
    const known = binding?.source && this.source(binding.source);
    return known ?? this.usedAs(node, this.lookup.ofField(node.name));
  }

  private source(source: Source): Model {
    return source.kind === 'field' ? this.lookup.ofField(source.field) : this.value(source.of);
  }

  private call(wrapped: Node, types: readonly Node[]): Model {
    const [stated] = types.map((type) => this.type(type));
    if (stated !== undefined && stated !== 'other') return stated;
    const callee = bare(wrapped);
    if (callee.type === 'Identifier') return this.lookup.ofFunction(callee.name);
    if (callee.type !== 'MemberExpression') return undefined;
    const method = keyName(callee.property, callee.computed) ?? '';
    if (elementMethods.has(method)) return this.value(callee.object);
    // A method such as `get` may be the project's, or that of a map.
    return builtIns.some((prototype) => method in prototype) ? undefined : this.lookup.ofFunction(method);
  }

  /** A value in a place of the API, or one that the code uses like the model. */
  private usedAs(node: Node, place: RenamedModel | undefined): RenamedModel | undefined {
    const fields = this.usedFields(node);
    if (fields.size === 0) return place;
    return modelOfFields(fields) ?? (place && modelOfFields(fields, place));
  }

  /** The model of an object literal. */
  object(node: Node & { type: 'ObjectExpression' }): Model {
    const expected = this.expected(node);
    if (expected === 'other' || hasFormerNamesOnPurpose(node)) return 'other';
    const fields = fieldsOf(node);
    const spread = node.properties.map((part) =>
      part.type === 'SpreadElement' ? this.value(part.argument) : undefined,
    );
    const place = expected ?? spread.find((model): model is RenamedModel => model !== undefined && model !== 'other');
    const model = modelOfFields(fields) ?? (place && modelOfFields(fields, place));
    return model && hasOtherShape(model, nestedFieldsOf(node)) ? 'other' : model;
  }

  /** What the place of an expression expects. */
  private expected(node: Node): Model {
    const { parent } = node;
    switch (parent?.type) {
      case 'ParenthesizedExpression':
      case 'ArrayExpression':
      case 'ConditionalExpression':
      case 'LogicalExpression':
        return this.expected(parent);
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
      case 'TSTypeAssertion':
        return this.type(parent.typeAnnotation) ?? this.expected(parent);
      case 'VariableDeclarator': {
        const { id } = parent;
        if (id.type !== 'Identifier') return undefined;
        return id.typeAnnotation ? this.type(id.typeAnnotation.typeAnnotation) : this.lookup.ofField(id.name);
      }
      case 'Property':
      case 'PropertyDefinition': {
        const stated = parent.type === 'PropertyDefinition' ? parent.typeAnnotation : undefined;
        const field = keyName(parent.key, parent.computed);
        return (
          (stated && this.type(stated.typeAnnotation)) ?? (field === undefined ? undefined : this.lookup.ofField(field))
        );
      }
      case 'AssignmentExpression':
        return parent.right === node ? this.value(parent.left) : undefined;
      case 'ReturnStatement':
      case 'ArrowFunctionExpression': {
        let outer: Node | null | undefined = parent;
        while (outer && !('returnType' in outer)) outer = outer.parent;
        return outer?.returnType ? this.type(outer.returnType.typeAnnotation) : undefined;
      }
      case 'CallExpression': {
        // As in `useState<Address>({ … })`, or in what sets that state.
        const [stated] = (parent.typeArguments?.params ?? []).map((type) => this.type(type));
        return parent.callee === node ? undefined : (stated ?? this.value(parent.callee));
      }
      case 'JSXExpressionContainer': {
        const attribute = parent.parent;
        if (attribute?.type !== 'JSXAttribute' || attribute.name.type !== 'JSXIdentifier') return undefined;
        return this.lookup.ofField(attribute.name.name);
      }
      default:
        return undefined;
    }
  }

  /** The model of what a pattern takes apart. */
  pattern(node: Node): Model {
    const { parent } = node;
    const { type, source } = this.bindings.patterns.get(node) ?? {};
    const assigned = parent?.type === 'AssignmentExpression' ? this.value(parent.right) : undefined;
    const known = (type && this.type(type)) ?? (source && this.source(source)) ?? assigned;
    return known ?? modelOfFields(fieldsOf(node));
  }

  /** The model that the members of an interface, a class or a type literal make up. */
  typeBody(body: Node): RenamedModel | undefined {
    const fields = fieldsOf(body);
    const anywhere = modelOfFields(fields);
    if (anywhere) return anywhere;
    let outer = body.parent;
    while (outer && !('id' in outer || 'key' in outer)) outer = outer.parent;
    if (!outer) return undefined;
    if ('key' in outer && 'computed' in outer) {
      const place = this.lookup.ofField(keyName(outer.key, outer.computed) ?? '');
      return place && modelOfFields(fields, place);
    }
    if (!('id' in outer) || outer.id?.type !== 'Identifier' || outer.type === 'VariableDeclarator') return undefined;
    const model = this.lookup.ofMention({ types: [outer.id.name], fields: [] });
    return model === 'other' ? undefined : model;
  }

  type(type: Node): Model {
    return this.lookup.ofMention(mentionOf(type));
  }

  private use(value: Node, fields: readonly (string | undefined)[]): void {
    const place = this.placeOf(bare(value));
    if (place === undefined) return;
    const used = this.used.get(place) ?? new Set();
    this.used.set(place, used);
    // A call such as `addresses.map(…)` uses an array.
    for (const field of fields) if (field !== undefined && !(field in Array.prototype)) used.add(field);
  }

  private placeOf(node: Node): string | undefined {
    if (node.type === 'Identifier') {
      const binding = this.bindings.find(node);
      if (!binding) return node.name;
      const id = this.ids.get(binding) ?? this.ids.size;
      this.ids.set(binding, id);
      return `${id} ${node.name}`;
    }
    if (node.type !== 'MemberExpression') return undefined;
    const outer = this.placeOf(bare(node.object));
    const field = keyName(node.property, node.computed) ?? '[]';
    return outer === undefined ? undefined : `${outer}.${field}`;
  }
}

function nestedFieldsOf(object: Node & { type: 'ObjectExpression' }): string[] {
  return membersOf(object).flatMap(({ node, name }) =>
    node.type === 'Property' && /^(?:Object|Array)Expression$/.test(node.value.type) ? [name] : [],
  );
}

/** A table of former names, an argument of `upgrade()`, or data of a type `Downgraded`. */
function hasFormerNamesOnPurpose(object: Node & { type: 'ObjectExpression' }): boolean {
  for (const { node, name } of membersOf(object)) {
    const current = formerNames.get(name);
    if (current !== undefined && node.type === 'Property' && stringOf(node.value) === current) return true;
  }
  for (let outer: Node | null | undefined = object.parent; outer; outer = outer.parent) {
    if (outer.type === 'CallExpression') return outer.callee.type === 'Identifier' && outer.callee.name === 'upgrade';
    if (outer.type === 'VariableDeclarator') return isDowngraded(outer.id);
  }
  return false;
}

function isDowngraded({ typeAnnotation }: VariableDeclarator['id']): boolean {
  const type = typeAnnotation?.typeAnnotation;
  return type?.type === 'TSTypeReference' && type.typeName.type === 'Identifier' && type.typeName.name === 'Downgraded';
}
