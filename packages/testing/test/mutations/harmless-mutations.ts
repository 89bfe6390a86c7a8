import { withHeaders } from './answer-mutations.ts';
import { withJson, type Mutation, type Mutations } from './mutation.ts';

/** Says that nobody notices. */
function unnoticed({ change }: Pick<Mutation, 'change'>): Mutation {
  return { change, isNoticed: () => false };
}

/** What may be otherwise, and nobody minds. */
export const harmlessMutations: Mutations = {
  'a member more': unnoticed({
    change: (answer) =>
      withJson(answer, (json) =>
        Array.isArray(json)
          ? json.map((each: object) => ({ ...each, shoeSize: 43 }))
          : { ...(json as object), shoeSize: 43 },
      ),
  }),
  'a header more': unnoticed({ change: withHeaders((given) => ({ ...given, 'x-shoe-size': '43' })) }),
  'the media type has a charset': unnoticed({
    change: withHeaders(({ 'content-type': type, ...others }) => ({
      ...others,
      'content-type': `${type}; charset=utf-8`,
    })),
  }),
  'the media type is in another case, with parameters': unnoticed({
    change: withHeaders(({ 'content-type': type = '', ...others }) => ({
      ...others,
      'content-type': `${type.toUpperCase()} ;profile=x; charset=utf-8`,
    })),
  }),
  'space between all': unnoticed({
    change: (answer) => ({ ...answer, body: JSON.stringify(JSON.parse(answer.body), undefined, 4) }),
  }),
  'members in another order': unnoticed({
    change: (answer) => ({ ...answer, body: JSON.stringify(inOtherOrder(JSON.parse(answer.body))) }),
  }),
};

function inOtherOrder(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(inOtherOrder);
  if (typeof json !== 'object' || json === null) return json;
  const members = Object.entries(json).map(([name, value]) => [name, inOtherOrder(value)]);
  return Object.fromEntries(members.toReversed());
}
