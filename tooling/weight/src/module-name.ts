const installed = /.*\/node_modules\/(.+?)\.[cm]?js$/;
const published = /.*\/packages\/(\w+)\/dist\/(.+)\.js$/;

/** The name of a module in a bundle, by its package: that of `packages/schemas/dist/person.js` is `@hr/schemas/person`. */
export function moduleName(path: string): string {
  const [, dependency] = installed.exec(path) ?? [];
  if (dependency !== undefined) return dependency;
  const [, folder, name] = published.exec(path) ?? [];
  if (name === undefined) throw new Error(`${path} is not what is published.`);
  return `@hr/${folder}/${name}`;
}

/** The package of a module, by the module's name. */
export function packageOf(name: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
}
