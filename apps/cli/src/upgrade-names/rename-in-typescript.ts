import type { Node, Program } from 'oxc-parser';
import type { Edit, FileFindings, Finding } from './file-findings.ts';
import { ModelOf } from './model-of.ts';
import { formerNames, modelOfFields, type RenamedModel } from './renamed-model.ts';
import { descendants, fieldsOf, membersOf, stringOf } from './syntax.ts';
import type { TypeLookup } from './type-facts.ts';

type Model = ReturnType<ModelOf['value']>;

const word = new RegExp(`\\b(?:${[...formerNames.keys()].join('|')})\\b`);

/** Finds former names in TypeScript. Local variables keep their names. */
export function renameInTypeScript(program: Program, lookup: TypeLookup): FileFindings {
  const findings: Finding[] = [];
  const edits: Edit[] = [];
  const models = new ModelOf(program, lookup);
  const seen = new Set<Node>();

  function add(key: Node, former: string, model: Model, fields: Iterable<string>): void {
    seen.add(key);
    const names = model === undefined || model === 'other' ? undefined : model.names;
    const current = names?.get(former) ?? formerNames.get(former);
    if (current === undefined) return;
    const verdict = !names?.has(former) ? 'unclear' : new Set(fields).has(current) ? 'both' : 'rename';
    findings.push({ at: key.start, former, current, verdict });
    if (verdict !== 'rename') return;
    // A shorthand keeps its variable.
    const { parent } = key;
    const isShorthand = parent?.type === 'Property' && parent.shorthand;
    const quote = key.type === 'Identifier' || key.type === 'JSXIdentifier' ? 0 : 1;
    if (isShorthand) edits.push({ start: key.start, end: key.start, text: `${current}: ` });
    else edits.push({ start: key.start + quote, end: key.end - quote, text: current });
  }

  function members(node: Node, modelOfNode: () => Model): void {
    const fields = fieldsOf(node);
    if (!fields.some((field) => formerNames.has(field))) return;
    const model = modelOfNode();
    for (const { key, name } of membersOf(node)) add(key, name, model, fields);
  }

  for (const node of descendants(program)) {
    switch (node.type) {
      case 'ObjectExpression':
        members(node, () => models.object(node));
        break;
      case 'ObjectPattern':
        members(node, () => models.pattern(node));
        break;
      case 'TSInterfaceBody':
      case 'TSTypeLiteral':
      case 'ClassBody':
        members(node, () => models.typeBody(node));
        break;
      case 'JSXOpeningElement':
        members(node, () => modelOfFields(fieldsOf(node)));
        break;
      case 'MemberExpression': {
        const { object, property, computed } = node;
        const name = !computed && property.type === 'Identifier' ? property.name : stringOf(property);
        if (name !== undefined && formerNames.has(name))
          add(property, name, models.value(object), models.usedFields(object));
        break;
      }
      case 'Literal':
      case 'TemplateLiteral': {
        const text =
          node.type === 'TemplateLiteral' ? node.quasis.map(({ value }) => value.raw).join('') : stringOf(node);
        if (text === undefined || seen.has(node) || !word.test(text) || node.parent?.type === 'ImportDeclaration')
          break;
        if (formerNames.has(text)) {
          const model = modelOfName(node, models);
          if (model) {
            add(node, text, model, []);
            break;
          }
        }
        const former = word.exec(text)?.[0] as string;
        findings.push({ at: node.start, former, current: formerNames.get(former) as string, verdict: 'text' });
        break;
      }
      default:
    }
  }
  return { findings: findings.toSorted((one, other) => one.at - other.at), edits };
}

/** The model whose field a string names: in `'postalCode' in address`, or in a type. */
function modelOfName(literal: Node, models: ModelOf): RenamedModel | undefined {
  const { parent } = literal;
  if (parent?.type === 'BinaryExpression' && parent.operator === 'in' && parent.left === literal) {
    return known(models.value(parent.right));
  }
  if (parent?.type !== 'TSLiteralType') {
    const operand = keyofOf(expectedType(literal));
    return operand && known(models.type(operand));
  }
  const union = parent.parent?.type === 'TSUnionType' ? parent.parent : undefined;
  const outer = union?.parent ?? parent.parent;
  if (outer?.type === 'TSIndexedAccessType') return known(models.type(outer.objectType));
  if (outer?.type === 'TSTypeParameterInstantiation') {
    // `keyof Address`, too, in `Extract<keyof Address, 'postalCode'>`.
    const types = outer.params.map((type) =>
      type.type === 'TSTypeOperator' && type.operator === 'keyof' ? type.typeAnnotation : type,
    );
    const model = types.map((type) => known(models.type(type))).find((one) => one !== undefined);
    if (model) return model;
  }
  const names = union?.types.flatMap((type) => (type.type === 'TSLiteralType' ? (stringOf(type.literal) ?? []) : []));
  return names && modelOfFields(names);
}

/** The type that the code states for a literal, alone or in an array. */
function expectedType({ parent }: Node): Node | undefined {
  switch (parent?.type) {
    case 'ArrayExpression':
    case 'TSAsExpression':
      return expectedType(parent);
    case 'TSSatisfiesExpression':
      return parent.typeAnnotation;
    case 'VariableDeclarator':
      return parent.id.typeAnnotation?.typeAnnotation;
    default:
      return undefined;
  }
}

/** The operand of `keyof` in a type such as `readonly (keyof Address)[]`. */
function keyofOf(type: Node | undefined): Node | undefined {
  switch (type?.type) {
    case 'TSTypeOperator':
      return type.operator === 'keyof' ? type.typeAnnotation : keyofOf(type.typeAnnotation);
    case 'TSArrayType':
      return keyofOf(type.elementType);
    case 'TSParenthesizedType':
      return keyofOf(type.typeAnnotation);
    default:
      return undefined;
  }
}

function known(model: Model): RenamedModel | undefined {
  return model === 'other' ? undefined : model;
}
