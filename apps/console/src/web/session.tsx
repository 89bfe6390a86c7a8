import { Alert, Button, Center, Code, Loader, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { createContext, use, useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import type { LiveEvent, SyncHealth } from '../server/live.ts';
import type { Role } from '../server/records.ts';
import type { Session } from '../server/sessions.ts';
import { bff, BffError } from './bff.ts';
import { useMessages } from './locale.tsx';
import { messages } from './messages.ts';
import { Failure } from './page.tsx';

const Context = createContext<Session | undefined>(undefined);
const SIGN_IN_PATH = '/sign-in';

/** The person who is signed in, and the state of the local copy. */
export function useSession(): Session {
  const session = use(Context);
  if (session === undefined) throw new Error('A screen is shown only to a person who is signed in.');
  return session;
}

/** Whether the person has a role. */
export function useRole(role: Role): boolean {
  return useSession().user.roles.includes(role);
}

/** Shows the screens to a person who is signed in, and everyone else how to sign in. It also keeps them current. */
export function SessionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [session, setSession] = useState<Session | BffError | undefined>();
  const client = useQueryClient();

  useEffect(() => {
    void (starting ??= startSession()).then(setSession, setSession);
  }, []);
  const isSignedIn = session !== undefined && !(session instanceof BffError);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const setHealth = (health: SyncHealth): void =>
      setSession((current) => (current instanceof BffError || !current ? current : { ...current, health }));
    const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
      const { error } = query.state;
      if (error instanceof BffError && error.problem.code === 'signed-out') setSession(error);
    });
    const close = listen((event) => {
      if (event.type === 'health') setHealth(event.health);
      else void client.invalidateQueries();
    });
    return () => {
      unsubscribe();
      close();
    };
  }, [isSignedIn, client]);

  if (session === undefined) return <Waiting />;
  if (session instanceof BffError) return <SignedOut error={session} />;
  return <Context value={session}>{children}</Context>;
}

/** React runs effects twice during development, but a link is good for once. */
let starting: Promise<Session> | undefined;

/** Uses up the code of the link, if the address has one. */
async function startSession(): Promise<Session> {
  const { pathname, hash } = location;
  if (pathname !== SIGN_IN_PATH) return await bff.get<Session>('session');
  // It leaves the address before anything else, so that it is in no history.
  history.replaceState(undefined, '', '/');
  return await bff.post<Session>('session', { code: hash.slice(1) });
}

/** Listens to changes. After an interruption everything is read anew, as events may be missing. */
function listen(receive: (event: LiveEvent) => void): () => void {
  const source = new EventSource('/bff/events');
  let wasOpen = false;
  source.addEventListener('open', () => {
    if (wasOpen) receive({ type: 'changed', personIds: [] });
    wasOpen = true;
  });
  source.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as LiveEvent));
  return () => source.close();
}

function Waiting(): ReactNode {
  const text = useMessages(messages);
  return (
    <Center h="100dvh">
      <Loader aria-label={text.signIn.signingIn} />
    </Center>
  );
}

function SignedOut({ error }: { readonly error: BffError }): ReactNode {
  const text = useMessages(messages);
  const { code } = error.problem;
  return (
    <Center component="main" h="100dvh" p="md">
      <title>{`${text.signIn.title} · HR Cloud`}</title>
      <Stack maw={460} w="100%">
        <Title order={1}>{text.signIn.title}</Title>
        {code === 'signed-out' ? (
          <>
            <Alert variant="outline" title={text.problems['signed-out']}>
              {text.signIn.none} {text.signIn.used}
            </Alert>
            <Text>{text.signIn.newLink}</Text>
            <Code block tabIndex={0}>
              npx pnpm@12 console link --name NAME
            </Code>
          </>
        ) : (
          <Failure error={error} />
        )}
        <Button variant="default" onClick={() => location.reload()}>
          {text.retry}
        </Button>
      </Stack>
    </Center>
  );
}
