import type { Interaction } from '../../contract/pact.ts';

type Message = Interaction['request'] | Interaction['response'];

/** The body of a specification 4 pact. */
interface Body {
  readonly content?: unknown;
  readonly encoded?: string | false;
}

/** The example of a body: JSON as its value, a form as its fields, other text as it is; `undefined` where there is none. */
export function bodyOf(message: Message, interaction: Interaction): unknown {
  const content = interaction.type === undefined ? message.body : decoded(message.body as Body | undefined);
  return typeof content === 'string' && isForm(message) ? Object.fromEntries(new URLSearchParams(content)) : content;
}

/** Whether the body is a form: matchers know it as one text only. */
export function isForm({ headers = {}, body }: Message): boolean {
  const header = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const type = header ?? (body as { readonly contentType?: string } | null | undefined)?.contentType;
  return String(type).startsWith('application/x-www-form-urlencoded');
}

function decoded(body: Body | undefined): unknown {
  const { content, encoded } = body ?? {};
  if (typeof content !== 'string' || !encoded) return content ?? undefined;
  const text = encoded.toLowerCase() === 'base64' ? Buffer.from(content, 'base64').toString() : content;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
