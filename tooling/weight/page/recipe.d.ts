declare module 'virtual:a-browser-and-its-backend' {
  import type { TokenProvider } from '@hr/auth';

  export const auth: TokenProvider;
}
