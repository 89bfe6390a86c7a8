/** What each package brings with it, and what its program prints when it is all there. */
export const programs = {
  '@hr/auth': {
    installs: ['@hr/auth', 'oauth4webapi'],
    prints: 'true 200 true invalid-client',
  },
  '@hr/client': {
    installs: ['@hr/client', '@hr/schemas', 'ky', 'zod'],
    prints: '300 Berlin not-found rejected',
  },
  '@hr/schemas': {
    installs: ['@hr/schemas', 'zod'],
    prints:
      '/api/v1/persons true Zoë /addresses/0/postalCode {"addresses":[{"street":"Hauptstr.","zipCode":"10115"}]} 2026-01',
  },
  '@hr/testing': {
    installs: ['@hr/schemas', '@hr/testing', 'zod'],
    prints: '401 401 3 2 true true',
  },
} as const satisfies Record<string, { readonly installs: readonly string[]; readonly prints: string }>;

export type PackageName = keyof typeof programs;
export const packageNames = Object.keys(programs) as PackageName[];
