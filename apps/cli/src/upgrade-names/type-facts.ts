import type { Node, Program } from 'oxc-parser';
import { fieldsOfApi, modelOfFields, renamedModels, type RenamedModel } from './renamed-model.ts';
import { descendants, fieldsOf, keyName, stringOf } from './syntax.ts';

/** What a type says of the model: itself, or by the names that it mentions. */
export interface Mention {
  /** A type that is written out has the fields of a model. */
  readonly model?: RenamedModel | undefined;
  /** Names of types, such as `Address` in `readonly Address[]`. */
  readonly types: readonly string[];
  /** Fields that it is the type of, such as `address` in `Person['address']`. */
  readonly fields: readonly string[];
  /** It has no fields, such as a string, or nothing says which, such as `any`. */
  readonly kind?: 'primitive' | 'unknown' | undefined;
}

/** What the types of a file say, by name. */
export interface TypeFacts {
  readonly types: Map<string, Mention[]>;
  readonly fields: Map<string, Mention[]>;
  /** What functions return. */
  readonly functions: Map<string, Mention[]>;
}

const packageOfHr = /^@hr\//;

/** Collects what the types of a file say. */
export function typeFactsOf(program: Program): TypeFacts {
  const facts = noTypeFacts();
  for (const node of descendants(program)) {
    switch (node.type) {
      case 'TSInterfaceDeclaration': {
        const inherited = node.extends.flatMap(({ expression }) =>
          expression.type === 'Identifier' ? expression.name : [],
        );
        add(facts.types, node.id.name, { ...declared(node.id.name, node.body), types: inherited });
        break;
      }
      case 'ClassDeclaration':
        if (node.id) add(facts.types, node.id.name, declared(node.id.name, node.body));
        break;
      case 'TSTypeAliasDeclaration': {
        const { name } = node.id;
        const type = node.typeAnnotation;
        add(facts.types, name, type.type === 'TSTypeLiteral' ? declared(name, type) : mentionOf(type));
        break;
      }
      case 'ImportSpecifier': {
        const { imported, local } = node;
        const original = imported.type === 'Identifier' ? imported.name : imported.value;
        const declaration = node.parent;
        const source = declaration?.type === 'ImportDeclaration' ? declaration.source.value : '';
        const model = packageOfHr.test(source) ? renamedModels.get(original) : undefined;
        if (model) add(facts.types, local.name, { ...nothing, model });
        else if (local.name !== original) add(facts.types, local.name, { ...nothing, types: [original] });
        break;
      }
      case 'TSPropertySignature':
      case 'PropertyDefinition': {
        const name = keyName(node.key, node.computed);
        if (name !== undefined && node.typeAnnotation) {
          add(facts.fields, name, mentionOf(node.typeAnnotation.typeAnnotation, fieldsOfApi.get(name)));
        }
        break;
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
        if (node.id && node.returnType) add(facts.functions, node.id.name, mentionOf(node.returnType.typeAnnotation));
        break;
      case 'MethodDefinition': {
        const name = keyName(node.key, node.computed);
        const result = node.value.returnType;
        if (name !== undefined && result) add(facts.functions, name, mentionOf(result.typeAnnotation));
        break;
      }
      case 'VariableDeclarator': {
        const { id, init } = node;
        const model = init && modelOfValue(init);
        if (id.type === 'Identifier' && model) add(facts.types, `typeof ${id.name}`, { ...nothing, model });
        const result = init?.type === 'ArrowFunctionExpression' ? init.returnType : undefined;
        if (id.type === 'Identifier' && result) add(facts.functions, id.name, mentionOf(result.typeAnnotation));
        break;
      }
      default:
    }
  }
  return facts;
}

const nothing: Mention = { types: [], fields: [] };

/** A type with the name of a model is in its place. */
function declared(name: string, body: Node): Mention {
  const fields = fieldsOf(body);
  return { ...nothing, model: modelOfFields(fields) ?? modelOfFields(fields, renamedModels.get(name)) };
}

/** What a type mentions. In a place of the API, fewer fields suffice for a type that is written out. */
export function mentionOf(type: Node, place?: RenamedModel): Mention {
  switch (type.type) {
    case 'TSTypeLiteral': {
      const fields = fieldsOf(type);
      return { ...nothing, model: modelOfFields(fields) ?? (place && modelOfFields(fields, place)) };
    }
    case 'TSTypeReference': {
      const { typeName, typeArguments } = type;
      const name = typeName.type === 'TSQualifiedName' ? typeName.right : typeName;
      const inner = typeArguments?.params ?? [];
      // Of `Partial<Address>`, what is inside counts. Data of `Downgraded<Address>` has former names on purpose.
      if (name.type !== 'Identifier' || name.name === 'Downgraded') return { ...nothing, kind: 'primitive' };
      return inner.length > 0 ? merged(inner.map((each) => mentionOf(each))) : { ...nothing, types: [name.name] };
    }
    case 'TSArrayType':
      return mentionOf(type.elementType, place);
    case 'TSUnionType':
    case 'TSIntersectionType':
      return merged(type.types.map((each) => mentionOf(each, place)));
    case 'TSTupleType':
      return merged(type.elementTypes.map((each) => mentionOf(each, place)));
    case 'TSParenthesizedType':
    case 'TSTypeOperator':
      return type.type === 'TSTypeOperator' && type.operator === 'keyof'
        ? { ...nothing, kind: 'primitive' }
        : mentionOf(type.typeAnnotation, place);
    case 'TSIndexedAccessType': {
      const { indexType } = type;
      const field = indexType.type === 'TSLiteralType' ? stringOf(indexType.literal) : undefined;
      if (field === undefined) return mentionOf(type.objectType);
      // Generated types: `components['schemas']['Address']`.
      const model = renamedModels.get(field);
      return model ? { ...nothing, model } : { ...nothing, fields: [field] };
    }
    case 'TSTypeQuery':
      return type.exprName.type === 'Identifier'
        ? { ...nothing, types: [`typeof ${type.exprName.name}`] }
        : { ...nothing, kind: 'unknown' };
    case 'TSStringKeyword':
    case 'TSNumberKeyword':
    case 'TSBooleanKeyword':
    case 'TSNullKeyword':
    case 'TSUndefinedKeyword':
    case 'TSLiteralType':
      return { ...nothing, kind: 'primitive' };
    default:
      return { ...nothing, kind: 'unknown' };
  }
}

/** The model of an object literal, or of a schema that is made of one, such as `z.object({ … }).strict()`. */
function modelOfValue(value: Node): RenamedModel | undefined {
  if (value.type === 'ObjectExpression') return modelOfFields(fieldsOf(value));
  if (value.type !== 'CallExpression') return undefined;
  const [argument] = value.arguments;
  if (argument?.type === 'ObjectExpression') return modelOfValue(argument);
  return value.callee.type === 'MemberExpression' ? modelOfValue(value.callee.object) : undefined;
}

function merged(mentions: readonly Mention[]): Mention {
  return {
    model: mentions.find(({ model }) => model)?.model,
    types: mentions.flatMap(({ types }) => types),
    fields: mentions.flatMap(({ fields }) => fields),
    kind: ['unknown', 'primitive'].find((kind): kind is 'unknown' | 'primitive' =>
      kind === 'unknown'
        ? mentions.some((mention) => mention.kind === kind)
        : mentions.every((mention) => mention.kind === kind),
    ),
  };
}

export function noTypeFacts(): TypeFacts {
  return { types: new Map(), fields: new Map(), functions: new Map() };
}

/** Adds the facts of another file. */
export function addTypeFacts(all: TypeFacts, facts: TypeFacts): void {
  for (const kind of ['types', 'fields', 'functions'] as const) {
    for (const [name, mentions] of facts[kind]) all[kind].set(name, [...(all[kind].get(name) ?? []), ...mentions]);
  }
}

function add(map: Map<string, Mention[]>, name: string, mention: Mention): void {
  map.set(name, [...(map.get(name) ?? []), mention]);
}

/** A type that is known, and is none of the models. */
const OTHER = 'other';

/** Finds the models of types, fields and functions: by what their own file says, then by what all files say. */
export class TypeLookup {
  private readonly scopes: readonly TypeFacts[];

  constructor(own: TypeFacts, all: TypeFacts) {
    this.scopes = [own, all];
  }

  /** The model of a type; `other` if the type is known and is none; undefined if it is unknown or ambiguous. */
  ofMention(mention: Mention, seen: readonly string[] = []): RenamedModel | typeof OTHER | undefined {
    if (mention.model) return mention.model;
    const models = [
      ...mention.types.map((name) => this.only('types', name, seen)),
      ...mention.fields.map((field) => this.ofField(field, seen)),
    ];
    const model = models.find((found) => found !== undefined && found !== OTHER);
    return model ?? (mention.kind === 'unknown' || models.includes(undefined) ? undefined : OTHER);
  }

  /** The model that a field holds: as declared, else as in the API. */
  ofField(field: string, seen: readonly string[] = []): RenamedModel | undefined {
    // A string with the same name does not count: it has no fields.
    const stated = this.mentions('fields', field).filter(({ kind }) => kind === undefined);
    if (stated.length === 0) return fieldsOfApi.get(field);
    const model = this.only('fields', field, seen, stated);
    return model === OTHER ? undefined : (model ?? fieldsOfApi.get(field));
  }

  ofFunction(name: string): RenamedModel | undefined {
    const model = this.only('functions', name, []);
    return model === OTHER ? undefined : model;
  }

  /** What all declarations of a name agree on. */
  private only(
    kind: keyof TypeFacts,
    name: string,
    seen: readonly string[],
    mentions = this.mentions(kind, name),
  ): RenamedModel | typeof OTHER | undefined {
    const id = `${kind} ${name}`;
    if (seen.includes(id)) return undefined;
    const [model, ...others] = new Set(mentions.map((mention) => this.ofMention(mention, [...seen, id])));
    return others.length > 0 ? undefined : model;
  }

  private mentions(kind: keyof TypeFacts, name: string): readonly Mention[] {
    return this.scopes.map((facts) => facts[kind].get(name)).find((found) => found !== undefined) ?? [];
  }
}
