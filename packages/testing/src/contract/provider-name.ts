/** The name of the HR cloud in pacts. */
export const PROVIDER_NAME = 'hr-cloud';
