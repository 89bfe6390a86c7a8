// Imported here, it is in the list of licenses: that has the modules of scripts.
import '@fontsource-variable/inter/wght.css';
import '../shell/styles.css';
import { MantineProvider, MantineThemeProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { lazy, StrictMode, Suspense, type ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { LabelsProvider } from '../shell/labels.tsx';
import { LocaleProvider, useMessages } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { router } from './router.tsx';
import { SessionProvider } from './session-provider.tsx';
import { cssVariablesResolver, theme } from '../shell/theme.ts';

// Events of the backend say when something changed, so nothing is read again by itself.
const queries = new QueryClient({
  defaultOptions: {
    queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    // What cannot be sent now is not sent later without the person.
    mutations: { networkMode: 'always' },
  },
});
const nonce = document.querySelector<HTMLMetaElement>('meta[name=style-nonce]')?.content ?? '';
// The lock of the page behind a dialog takes the nonce for its style element from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

// The first screen shows none. A store keeps those that are shown before it is loaded.
const Notifications = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }));

/** The button that closes one has a name. */
function NamedNotifications(): ReactNode {
  const closeButtonProps = { 'aria-label': useMessages(messages).close };
  return (
    <MantineThemeProvider inherit theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Suspense>
        <Notifications position="top-right" />
      </Suspense>
    </MantineThemeProvider>
  );
}

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
        <LocaleProvider>
          <NamedNotifications />
          <QueryClientProvider client={queries}>
            <SessionProvider>
              <LabelsProvider>
                <RouterProvider router={router} />
              </LabelsProvider>
            </SessionProvider>
          </QueryClientProvider>
        </LocaleProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
