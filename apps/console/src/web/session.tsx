import { Button, Center, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useState, type ReactNode } from 'react';
import type { LiveEvent, SyncHealth } from '../server/live.ts';
import type { Session } from '../server/sessions.ts';
import { bff, BffError } from './bff.ts';
import { useMessages } from './locale.tsx';
import { messages } from './messages.ts';
import { Failure } from './page.tsx';
import { SessionContext } from './use-session.ts';

const SIGN_IN_PATH = '/sign-in';
const RECONNECT_MS = 5000;

export { useRole, useSession } from './use-session.ts';

/** Shows the screens to a person who is signed in, and everyone else how to sign in. It also keeps them current. */
export function SessionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [session, setSession] = useState<Session | BffError | undefined>();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const client = useQueryClient();

  useEffect(() => {
    void (starting ??= startSession()).then(setSession, setSession);
  }, []);
  useEffect(() => {
    // Nothing of the person stays in the memory of the page.
    if (session instanceof BffError) client.clear();
  }, [session, client]);
  const isSignedIn = session !== undefined && !(session instanceof BffError);
  if (isSignedIn && !wasSignedIn) setWasSignedIn(true);
  useEffect(() => {
    if (!isSignedIn) return undefined;
    const setHealth = (health: SyncHealth): void =>
      setSession((current) => (current instanceof BffError || !current ? current : { ...current, health }));
    const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
      const { error } = query.state;
      if (error instanceof BffError && error.problem.code === 'signed-out') setSession(error);
    });
    const receive = (event: LiveEvent): void => {
      if (event.type === 'health') setHealth(event.health);
      else {
        const { kinds } = event;
        const isConcerned = ({ meta }: Query): boolean =>
          kinds.length === 0 || (meta?.kinds?.some((kind) => kinds.includes(kind)) ?? true);
        void client.invalidateQueries({ predicate: isConcerned });
      }
    };
    const close = listen(receive, setSession);
    return () => {
      unsubscribe();
      close();
    };
  }, [isSignedIn, client]);

  if (session === undefined) return <Waiting />;
  if (session instanceof BffError) {
    // Without loading the page anew, so that input that is kept in memory is there after a sign-in in another tab.
    const retry = (): void => void bff.get<Session>('session').then(setSession, setSession);
    return <SignedOut error={session} reason={wasSignedIn ? 'ended' : openedLink ? 'used' : 'none'} retry={retry} />;
  }
  return <SessionContext value={session}>{children}</SessionContext>;
}

const openedLink = location.pathname === SIGN_IN_PATH;
/** React runs effects twice during development, but a link is good for once. */
let starting: Promise<Session> | undefined;

/** Uses up the code of the link, if the address has one. */
async function startSession(): Promise<Session> {
  const { hash } = location;
  if (!openedLink) return await bff.get<Session>('session');
  // It leaves the address before anything else, so that it is in no history.
  history.replaceState(undefined, '', '/');
  return await bff.post<Session>('session', { code: hash.slice(1) });
}

/**
 * Listens to changes. After an interruption everything is read anew, as events may be missing.
 *
 * @param end - Receives why the session has ended, such as by a sign-out in another tab.
 */
function listen(receive: (event: LiveEvent) => void, end: (error: BffError) => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let source = open();
  let wasOpen = false;
  function open(): EventSource {
    const stream = new EventSource('/bff/events');
    stream.addEventListener('open', () => {
      if (wasOpen) void checkSession().then(() => receive({ type: 'changed', kinds: [], personIds: [] }));
      wasOpen = true;
    });
    stream.addEventListener('message', ({ data }) => receive(JSON.parse(String(data)) as LiveEvent));
    // The browser reconnects by itself, unless the backend refuses the stream.
    stream.addEventListener('error', () => {
      if (stream.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(() => (source = open()), RECONNECT_MS);
      void checkSession();
    });
    return stream;
  }
  async function checkSession(): Promise<void> {
    try {
      const { user } = await bff.get<Session>('session', {}, true);
      // In another tab, somebody else signed in: nothing of the former person may stay.
      if (JSON.stringify(user) !== JSON.stringify((await starting)?.user)) location.reload();
    } catch (error) {
      if (error instanceof BffError && error.problem.code === 'signed-out') end(error);
    }
  }
  return () => {
    clearTimeout(timer);
    source.close();
  };
}

function Waiting(): ReactNode {
  const text = useMessages(messages);
  return (
    <Center h="100dvh">
      <Loader aria-label={text.signIn.signingIn} />
    </Center>
  );
}

interface SignedOutProps {
  readonly error: BffError;
  /** Why nobody is signed in. */
  readonly reason: 'ended' | 'used' | 'none';
  readonly retry: () => void;
}

function SignedOut({ error, reason, retry }: SignedOutProps): ReactNode {
  const text = useMessages(messages);
  const isSignedOut = error.problem.code === 'signed-out';
  return (
    <Center component="main" h="100dvh" p="md">
      <title>{`${text.signIn.title} · HR Cloud`}</title>
      <Stack maw={420} w="100%">
        <Group gap="sm">
          <img src="/icon.svg" alt="" width={32} height={32} />
          <Text fw={600}>HR Cloud</Text>
        </Group>
        <Title order={1}>{text.signIn.title}</Title>
        {isSignedOut ? (
          <>
            <Text role={reason === 'none' ? undefined : 'alert'}>{text.signIn[reason]}</Text>
            <Text c="dimmed">{text.signIn.newLink}</Text>
            <Code block tabIndex={0}>
              npx pnpm@12 console link --name NAME
            </Code>
          </>
        ) : (
          <Failure error={error} />
        )}
        <Button variant="default" onClick={retry}>
          {isSignedOut ? text.signIn.retry : text.retry}
        </Button>
      </Stack>
    </Center>
  );
}
