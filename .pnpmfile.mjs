const SOURCE_CONDITION = '@hr/source';

/** What of a package.json is for its users: no development, and no source, which is not in the tarball. */
function beforePacking({ devDependencies: _development, scripts: _scripts, exports, imports, ...manifest }) {
  return {
    ...manifest,
    ...(exports && { exports: withoutSource(exports) }),
    ...(imports && { imports: withoutSource(imports) }),
  };
}

function withoutSource(entries) {
  return JSON.parse(JSON.stringify(entries, (key, value) => (key === SOURCE_CONDITION ? undefined : value)));
}

export const hooks = { beforePacking };
