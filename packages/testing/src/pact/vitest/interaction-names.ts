type Identity = readonly [description: string, ...states: readonly (readonly [name: string, parameters: object])[]];

/**
 * What a reader calls interactions, by their identities: their descriptions, and where several have the same, what
 * differs in their states, such as `listPersons: 200 given a person (id 4711)`.
 */
export function interactionNames(identities: Iterable<string>): ReadonlyMap<string, string> {
  const all = [...new Set(identities)].map((identity) => ({ identity, ...detailsOf(identity) }));
  const groups = Map.groupBy(all, ({ description }) => description);
  return new Map(
    all.map(({ identity, description, details }) => {
      const alike = groups.get(description) ?? [];
      const telling = [...details].filter(([place, text]) => alike.some((other) => other.details.get(place) !== text));
      const clause = telling.length > 0 ? ` (${telling.map(([, text]) => text).join(', ')})` : '';
      return [identity, `${description}${clause}`];
    }),
  );
}

/** What its states say, by their places. */
function detailsOf(identity: string): { readonly description: string; readonly details: ReadonlyMap<string, string> } {
  const [description, ...states] = JSON.parse(identity) as Identity;
  const details = states.flatMap(([name, parameters], index) => [
    [`${index}`, `given ${name}`] as const,
    ...Object.entries(parameters).map(([key, value]) => [`${index}/${key}`, `${key} ${textOf(value)}`] as const),
  ]);
  return { description, details: new Map(details) };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
