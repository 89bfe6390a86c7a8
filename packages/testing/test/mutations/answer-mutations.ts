import { withJson, type Mutation, type Mutations, type RawAnswer } from './mutation.ts';

/** Changes the headers of an answer. */
export const withHeaders = (change: (headers: Record<string, string>) => object) => (answer: RawAnswer) => ({
  ...answer,
  headers: { ...change({ ...answer.headers }) } as Record<string, string>,
});
const withoutHeader = (name: string) => withHeaders(({ [name]: _gone, ...others }) => others);
const always = (): boolean => true;
const isProblem = ({ status }: { readonly status: number }): boolean => status >= 400;
const isList = (content: unknown): boolean => Array.isArray(content) && content.length > 0;

/** What can be wrong with an answer as a whole. */
export const answerMutations: Mutations = {
  'a list is in an object': {
    change: (answer) => withJson(answer, (json) => (Array.isArray(json) ? { items: json } : json)),
    isNoticed: ({ body }) => Array.isArray(body?.content),
  },
  'a list of one is that one': {
    change: (answer) => withJson(answer, (json) => (Array.isArray(json) && json.length > 0 ? json[0] : json)),
    isNoticed: ({ body }) => isList(body?.content),
  },
  'a list is empty': {
    change: (answer) => withJson(answer, (json) => (Array.isArray(json) ? [] : json)),
    isNoticed: ({ body }) => isList(body?.content),
  },
  'an object is in a list': {
    change: (answer) => withJson(answer, (json) => (Array.isArray(json) ? json : [json])),
    isNoticed: ({ body }) => !Array.isArray(body?.content),
  },
  'the body breaks off': { change: (answer) => ({ ...answer, body: answer.body.slice(0, -1) }), isNoticed: always },
  'the body is gone': { change: (answer) => ({ ...answer, body: '' }), isNoticed: always },
  'what was 200 is 201': {
    change: (answer) => ({ ...answer, status: answer.status === 200 ? 201 : answer.status }),
    isNoticed: ({ status }) => status === 200,
  },
  'what was 4xx is 400': {
    change: (answer) => ({ ...answer, status: isProblem(answer) ? 400 : answer.status }),
    isNoticed: ({ status }) => isProblem({ status }) && status !== 400,
  },
  'the media type is text': {
    change: withHeaders((given) => ({ ...given, 'content-type': 'text/html' })),
    isNoticed: always,
  },
  'a problem is plain JSON': {
    change: (answer) =>
      isProblem(answer) ? withHeaders((given) => ({ ...given, 'content-type': 'application/json' }))(answer) : answer,
    isNoticed: isProblem,
  },
  'the media type is gone': { change: withoutHeader('content-type'), isNoticed: always },
  'the challenge is gone': named('www-authenticate'),
  'the time to wait is gone': named('retry-after'),
};

/** The header is gone. Who names it notices. */
function named(name: string): Mutation {
  return {
    change: withoutHeader(name),
    isNoticed: ({ headers: expected = {} }) => Object.keys(expected).some((each) => each.toLowerCase() === name),
  };
}
