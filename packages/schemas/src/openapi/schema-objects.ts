import { z } from 'zod';
import { IntrospectionResponse, TokenQuery, TokenError, TokenRequest, TokenResponse } from '../oauth.ts';
import { operations, type Operation } from '../operations.ts';
import { Problem } from '../problem.ts';

type Models = Pick<Operation, 'body' | 'response' | 'delta'>;

/** The Schema Objects of all models in requests and responses of the operation table and of further operations, by their ids. */
export function schemaObjects(further: readonly Models[]): Record<string, unknown> {
  const table: readonly Models[] = [...Object.values<Operation>(operations), ...further];
  const answers = table.flatMap(({ response, delta }) => (delta ? [response, delta] : [response]));
  const bodies = table.flatMap(({ body }) => body ?? []);
  const definitions = {
    // Responses may gain fields, so only models of requests are closed.
    ...definitionsOf([...answers, Problem, TokenResponse, TokenError, IntrospectionResponse], 'additionalProperties'),
    ...definitionsOf([...bodies, TokenRequest, TokenQuery]),
  };
  return JSON.parse(JSON.stringify(definitions).replaceAll('"#/$defs/', '"#/components/schemas/'));
}

/** A Reference Object to a model's Schema Object. */
export function schemaReference(model: z.ZodType): { $ref: string } {
  return { $ref: `#/components/schemas/${model.meta()?.id}` };
}

function definitionsOf(models: z.ZodType[], ...removed: string[]) {
  return z.toJSONSchema(z.tuple(models as [z.ZodType]), {
    io: 'input',
    override({ jsonSchema }) {
      for (const keyword of ['section', ...removed]) delete jsonSchema[keyword];
    },
  }).$defs;
}
