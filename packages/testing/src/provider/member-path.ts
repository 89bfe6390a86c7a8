/** The path of an object's member, as Pact writes paths. */
export function memberPath(path: string, name: string): string {
  return /^\w+$/.test(name) ? `${path}.${name}` : `${path}['${name}']`;
}
