/** Where a person lands who is not signed in, and whom nothing signs in by itself. */
export const SIGN_IN_PATH = '/sign-in';

/** Where a browser begins to sign in with the identity provider. */
export const BEGIN_PATH = '/bff/sign-in';

/** Why a sign-in with the provider failed: it did not answer, did not confirm the person, or gave them no role. */
export const signInFailures = ['unavailable', 'refused', 'noRoles'] as const;
export type SignInFailure = (typeof signInFailures)[number];
