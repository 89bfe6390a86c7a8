import './styles.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { LocaleProvider } from './locale.tsx';
import { router } from './router.tsx';
import { SessionProvider } from './session.tsx';
import { cssVariablesResolver, theme } from './theme.ts';

// Events of the backend say when something changed, so nothing is read again by itself.
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
  },
});
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// The lock of the page behind a dialog takes the nonce for its style element from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        defaultColorScheme="auto"
        getStyleNonce={() => nonce}
      >
        <Notifications position="top-right" />
        <LocaleProvider>
          <QueryClientProvider client={queries}>
            <SessionProvider>
              <RouterProvider router={router} />
            </SessionProvider>
          </QueryClientProvider>
        </LocaleProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
