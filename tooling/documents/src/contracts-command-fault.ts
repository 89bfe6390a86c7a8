/** What is wrong with a call of `hr-contracts`, by the help of its commands. */
export function contractsCommandFault(
  [name = '', ...words]: readonly string[],
  help: ReadonlyMap<string, string>,
): string | undefined {
  const text = help.get(name);
  if (text === undefined) return `hr-contracts ${name}: there is no such command`;
  const known = new Set(Array.from(text.matchAll(/^ +(?:-\w, )?(--[\w-]+)/gm), ([, flag]) => flag));
  const unknown = words.find((word) => word.startsWith('--') && !known.has(word));
  return unknown && `hr-contracts ${name} has no option ${unknown}`;
}
