/** What the HR cloud is called in pacts. */
export const PROVIDER_NAME = 'hr-cloud';
