import { findEndpoint } from '../provider/drift/endpoint.ts';

/** The name of an operation; `unknown` without one. */
export function operationOf(method: string, path: string): string {
  const endpoint = findEndpoint(method, path);
  return typeof endpoint === 'string' ? 'unknown' : endpoint.name;
}

/** A value that must not be shown, such as an id of a person. Reports say where it is from. */
export interface Hidden {
  readonly value: string;
  readonly from: string;
}
export type Given = string | Hidden;
type Fields = Readonly<Record<string, Given>>;

export interface CloudRequest {
  /** The operation for the coverage. */
  readonly operation: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly parameters?: Fields;
  readonly query?: Fields;
  /** Sent as JSON; `content` is sent as it is. */
  readonly body?: unknown;
  readonly content?: string | Uint8Array<ArrayBuffer>;
  /** Whether the body has values of a person. */
  readonly isPrivate?: boolean;
  readonly form?: Fields;
  /** By lower-case names. `undefined` removes a header of the body or the token. */
  readonly headers?: Readonly<Record<string, Given | undefined>>;
  /** `null` sends no token; default: the token of the run. */
  readonly token?: Given | null;
  /** Continues after an interruption. */
  readonly always?: true;
  /** Is not repeated when the HR cloud asks to wait. */
  readonly isSingle?: boolean;
}

export function valueOf(given: Given): string {
  return typeof given === 'string' ? given : given.value;
}

/** The URL, headers and form of a request, with what `show` makes of each value. */
export function partsOf(
  { path, parameters = {}, query = {}, body, content, form = {}, headers = {}, token }: CloudRequest,
  show: (name: string, given: Given, encode: (text: string) => string) => string,
) {
  const pairsOf = (fields: Fields): string =>
    Object.entries(fields)
      .map(([name, given]) => `${encodeURIComponent(name)}=${show(name, given, encodeURIComponent)}`)
      .join('&');
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    show(name, parameters[name] ?? '', encodeURIComponent),
  );
  const sent = Object.entries({
    ...(token && { authorization: `Bearer ${show('token', token, String)}` }),
    ...((body !== undefined || content !== undefined) && { 'content-type': 'application/json' }),
    ...headers,
  });
  return {
    address: [filled, pairsOf(query)].filter(Boolean).join('?'),
    headers: sent.flatMap(([name, given]) =>
      given === undefined ? [] : [[name, show(name, given, String)] as [string, string]],
    ),
    form: pairsOf(form),
  };
}

/** A request as a curl command, with variables instead of hidden values. */
export function curlOf(baseUrl: string, request: CloudRequest): string {
  const origins: string[] = [];
  const { address, headers, form } = partsOf({ token: { value: '', from: '' }, ...request }, (name, given, encode) => {
    if (typeof given === 'string') return encode(given);
    const variable = name.replaceAll(/(?=[A-Z])/g, '_').toUpperCase();
    if (given.from) origins.push(`${variable} is ${given.from}`);
    return `$${variable}`;
  });
  const { method, body, content = JSON.stringify(body), isPrivate } = request;
  const isShown = typeof content === 'string' && !isPrivate;
  const data = isShown ? `'${content.replaceAll("'", String.raw`'\''`)}'` : '"$BODY"';
  return [
    `curl -i -X ${method} "${baseUrl}${address}"`,
    ...headers.map(([name, value]) => ` -H "${name}: ${value}"`),
    form && ` -d "${form}"`,
    content === undefined ? '' : ` -d ${data}`,
    origins.length > 0 ? `  # ${origins.join('; ')}` : '',
  ].join('');
}
