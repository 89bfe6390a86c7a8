import type { ReactNode } from 'react';
import type { ApiRequest } from '../web/page.tsx';

/** Copies a call of the API as a text for curl, `hr` or TypeScript. */
export function CopyAs(_props: { readonly request: ApiRequest }): ReactNode {
  return null;
}
