/** Set by CI servers; those behind the first one do not set `CI`. */
const VARIABLES = ['CI', 'TF_BUILD', 'JENKINS_URL', 'TEAMCITY_VERSION', 'CODEBUILD_BUILD_ID', 'bamboo_buildKey'];

/** The variable that tells that a CI server runs the tests; undefined elsewhere, and with `CI=false` or `CI=0`. */
export function ciVariable(env: Readonly<Record<string, string | undefined>>): string | undefined {
  return /^(?:false|0)$/.test(env['CI'] ?? '') ? undefined : VARIABLES.find((name) => env[name]);
}
