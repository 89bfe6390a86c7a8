/** What is wrong with a call of `hr-contracts`, by what its `--help` says. */
export function contractsCommandFault([name = '', ...words]: readonly string[], usage: string): string | undefined {
  const line = usage.split('\n').find((each) => each.trim().startsWith(`hr-contracts ${name} `));
  if (line === undefined) return `hr-contracts ${name}: there is no such command`;
  const unknown = words.find((word) => word.startsWith('--') && !line.split(/[[\] ]/).includes(word));
  return unknown && `hr-contracts ${name} has no option ${unknown}`;
}
