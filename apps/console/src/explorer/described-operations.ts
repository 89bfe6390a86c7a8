import { operations, wireNames, type Operation, type OperationId, type WireNames } from '@hr/schemas';
import type { z } from 'zod';
import { openApiDocument } from '@hr/schemas/openapi';
import { REQUIRED_TIME_COMPONENT_VERSION } from '@hr/schemas/rules';
import { describedType, schemaFields, type JsonSchema, type JsonSchemas, type SchemaField } from './schema-tree.ts';

/** A parameter of an operation. */
export interface DescribedParameter {
  /** As the packages name it. */
  readonly name: string;
  /** Its name in the URL or the header. */
  readonly wireName: string;
  readonly place: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description: string;
  readonly type: string;
  readonly bounds: readonly string[];
}

/** A model of a body or a response. */
export interface DescribedModel {
  readonly name: string;
  readonly fields: readonly SchemaField[];
}

/** An operation of the API, as its specification describes it. */
export interface DescribedOperation {
  readonly id: OperationId;
  readonly method: Operation['method'];
  readonly path: string;
  readonly tag: Operation['tag'];
  readonly summary: string;
  readonly description: string;
  /** Section of the specification. */
  readonly section: string;
  /** Version of the time-recording component that it needs at least. */
  readonly timeComponent: string | undefined;
  readonly isExtension: boolean;
  readonly isList: boolean;
  readonly parameters: readonly DescribedParameter[];
  readonly body: DescribedModel | undefined;
  readonly bodyExample: unknown;
  /** The response, or the elements of its array; the second one is of a list of changes. */
  readonly responses: readonly DescribedModel[];
}

interface OpenApiOperation {
  readonly description: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly parameters: readonly {
    readonly name: string;
    readonly in: DescribedParameter['place'];
    readonly required: boolean;
    readonly description?: string;
    readonly schema: JsonSchema;
  }[];
}

/** The end of each description; the section and the component have fields of their own. */
const facts = / ?(?:Needs the time-recording component|Section|Goes beyond section) .*$/;

/** All operations of the API. */
export function describedOperations(): DescribedOperation[] {
  const document = openApiDocument();
  const schemas = document.components.schemas as JsonSchemas;
  return Object.entries<Operation>(operations).map(([key, operation]) => {
    const { method, path, tag, summary, section, body, response, delta } = operation;
    const id = key as OperationId;
    const described = document.paths[path]?.[method.toLowerCase()] as OpenApiOperation;
    const names: Readonly<Record<string, string>> = wireNames[id as keyof WireNames] ?? {};
    return {
      id,
      method,
      path,
      tag,
      summary,
      description: described.description.replace(facts, ''),
      section,
      timeComponent: operation.timeComponent && REQUIRED_TIME_COMPONENT_VERSION,
      isExtension: operation.extension ?? false,
      isList: operation.list,
      parameters: described.parameters.map(({ name: wireName, in: place, required, description = '', schema }) => ({
        name: Object.keys(names).find((name) => names[name] === wireName) ?? wireName,
        wireName,
        place,
        required,
        description,
        ...describedType(schema, schemas),
      })),
      body: body && describedModel(body, schemas),
      bodyExample: described.requestBody?.content['application/json']?.example,
      responses: [response, ...(delta ? [delta] : [])].map((model) => describedModel(model, schemas)),
    };
  });
}

function describedModel(model: z.ZodType, schemas: JsonSchemas): DescribedModel {
  const name = String(model.meta()?.id);
  return { name, fields: schemaFields(schemas[name] ?? {}, schemas) };
}
