import { Button, Center, Code, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQueryClient, type Query } from '@tanstack/react-query';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import type { LiveEvent, SyncHealth } from '../backend/live-event.ts';
import type { Session } from '../backend/sessions.ts';
import { bff, BffError } from '../shell/bff.ts';
import { forgetSaved } from '../shell/drafts.ts';
import { listen } from '../shell/listen.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { Failure } from '../components/page.tsx';
import { SessionContext } from '../shell/session.ts';
import { BEGIN_PATH, SIGN_IN_PATH, signInFailures } from '../model/sign-in.ts';

/** Shows the screens to a person who is signed in, and everyone else how to sign in. It also keeps them current. */
export function SessionProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [session, setSession] = useState<Session | BffError | undefined>();
  const [lostSince, setLostSince] = useState<string | undefined>();
  const [wasSignedIn, setWasSignedIn] = useState(false);
  const client = useQueryClient();

  useEffect(() => {
    void (starting ??= startSession()).then(setSession, setSession);
  }, []);
  useEffect(() => {
    // Nothing of the person stays in the memory of the page.
    if (!(session instanceof BffError)) return;
    client.clear();
    forgetSaved();
  }, [session, client]);
  const user = session === undefined || session instanceof BffError ? undefined : JSON.stringify(session.user);
  if (user !== undefined && !wasSignedIn) setWasSignedIn(true);
  useEffect(() => {
    if (user === undefined) return undefined;
    const unsubscribe = client.getQueryCache().subscribe(({ query }) => {
      const { error } = query.state;
      if (error instanceof BffError && error.problem.code === 'signed-out') setSession(error);
    });
    const checkSession = async (): Promise<void> => {
      try {
        const current = await bff.get<Session>('session', {}, true);
        // In another tab, somebody else signed in: nothing of the former person may stay.
        if (JSON.stringify(current.user) !== user) location.reload();
      } catch (error) {
        if (error instanceof BffError && error.problem.code === 'signed-out') setSession(error);
      }
    };
    const receive = (event: LiveEvent): void => {
      if (event.type !== 'changed') {
        setSession((current) => {
          if (current === undefined || current instanceof BffError) return current;
          if (event.type === 'health') {
            return isSame(current.health, event.health) ? current : { ...current, health: event.health };
          }
          return event.user === current.user.id ? { ...current, drafts: event.drafts } : current;
        });
        return;
      }
      const { kinds } = event;
      // So may what the person is allowed to see.
      if (kinds.length === 0) void checkSession();
      const isConcerned = ({ meta }: Query): boolean =>
        kinds.length === 0 || (meta?.kinds?.some((kind) => kinds.includes(kind)) ?? true);
      void client.invalidateQueries({ predicate: isConcerned });
    };
    const close = listen({
      receive,
      opened: (isFirst) => isFirst || void checkSession().then(() => client.invalidateQueries()),
      refused: () => void checkSession(),
      lost: setLostSince,
    });
    return () => {
      unsubscribe();
      close();
    };
  }, [user, client]);
  const value = useMemo(
    () => (session === undefined || session instanceof BffError ? undefined : { ...session, lostSince }),
    [session, lostSince],
  );

  if (session === undefined) return <Waiting />;
  if (session instanceof BffError) {
    // Without loading the page anew, so that input that is not saved yet is there after a sign-in in another tab.
    const retry = (): void => void bff.get<Session>('session').then(setSession, setSession);
    return <SignedOut error={session} reason={wasSignedIn ? 'ended' : openedLink ? 'used' : 'none'} retry={retry} />;
  }
  return <SessionContext value={value}>{children}</SessionContext>;
}

function isSame(one: SyncHealth, other: SyncHealth): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Tells tabs whose session has ended that somebody signed in. */
const SIGN_INS = 'hr-console-sign-ins';
const landed = location.pathname === SIGN_IN_PATH;
const openedLink = landed && location.hash !== '';
const failure = landed ? signInFailures.find((one) => location.search === `?failure=${one}`) : undefined;
/** React runs effects twice during development, but a link is good for once. */
let starting: Promise<Session> | undefined;

/** Uses up the code of the link, if the address has one. Otherwise the provider signs the person in, if there is one. */
async function startSession(): Promise<Session> {
  const code = location.hash.slice(1);
  // It leaves the address before anything else, so that it is in no history.
  if (landed) history.replaceState(undefined, '', '/');
  const session = await (openedLink ? bff.post<Session>('session', { code }) : bff.get<Session>('session')).catch(
    (error: unknown) => {
      if (landed || !(error instanceof BffError) || error.problem.signIn !== 'provider') throw error;
      location.replace(beginAddress());
      return new Promise<never>(() => undefined);
    },
  );
  const signIns = new BroadcastChannel(SIGN_INS);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
  signIns.postMessage(undefined);
  signIns.close();
  return session;
}

/** Where the browser signs in with the provider, to come back to the screen of the page. */
function beginAddress(): string {
  const to = location.pathname + location.search;
  // Who has no role may have another account.
  const query = new URLSearchParams({ to, ...(failure === 'noRoles' && { again: 'true' }) });
  return `${BEGIN_PATH}?${query.toString()}`;
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
  useEffect(() => {
    const signIns = new BroadcastChannel(SIGN_INS);
    signIns.addEventListener('message', retry);
    return () => signIns.close();
  }, [retry]);
  return (
    <Center component="main" h="100dvh" p="md">
      <title>{`${text.signIn.title} · HR Cloud`}</title>
      <Stack maw={420} w="100%">
        <Group gap="sm">
          <img src="/icon.svg" alt="" width={32} height={32} />
          <Text fw={600}>HR Cloud</Text>
        </Group>
        <Title order={1}>{text.signIn.title}</Title>
        {isSignedOut && error.problem.signIn === 'provider' ? (
          <>
            {failure && <Text role="alert">{text.signIn[failure]}</Text>}
            {reason === 'ended' && <Text role="alert">{text.signIn.providerEnded}</Text>}
            <Button component="a" href={beginAddress()} target={reason === 'ended' ? '_blank' : undefined}>
              {text.signIn.withProvider}
            </Button>
          </>
        ) : isSignedOut ? (
          <>
            <Text role={reason === 'none' ? undefined : 'alert'}>{text.signIn[reason]}</Text>
            <Text c="dimmed">{text.signIn.newLink}</Text>
            <Code block tabIndex={0}>
              npx pnpm@12 console link LOGIN
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
