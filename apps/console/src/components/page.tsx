import { Alert, Box, Button, Center, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import { useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, type ReactNode } from 'react';
import { BffError } from '../shell/bff.ts';
import { useFormat } from '../shell/format.ts';
import { useLabels } from '../shell/labels.tsx';
import { useMessages } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { useSession } from '../shell/session.ts';
import { AnchorLink } from './link.tsx';
import type { ApiRequest } from './request-texts.ts';
import { useFocusReturn } from '../shell/use-focus-return.ts';

// Its menu is not part of what a person waits for.
const CopyAs = lazy(async () => ({ default: (await import('./copy-as.tsx')).CopyAs }));

interface PageProps {
  readonly title: string;
  /** Whether another title follows as soon as the data is there. */
  readonly isProvisional?: boolean;
  readonly description?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** The call of the API that has the same data. It can be copied as curl, `hr` or TypeScript. */
  readonly request?: ApiRequest;
  readonly children: ReactNode;
}

/** What was shown last. The browser's own place for the focus of the first screen is right. */
let shown: { readonly path: string; readonly title: string } | undefined;

/** A screen with its title, which takes the focus when the person comes from another screen. */
export function Page({ title, isProvisional = false, description, actions, request, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(() => {
    if (isProvisional) return;
    // Else the focus stays on a link that may be gone, and a screen reader says nothing of the new screen.
    const isLost = shown?.title !== title && document.activeElement === document.body;
    if (shown !== undefined && (shown.path !== path || isLost)) heading.current?.focus({ preventScroll: true });
    shown = { path, title };
  }, [path, title, isProvisional]);
  return (
    <Stack gap="lg" maw={1920}>
      <title>{`${title} · HR Cloud`}</title>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Box flex="1 1 160px">
          <Title order={1} ref={heading} tabIndex={-1} w="fit-content">
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" mt={2} component="div">
              {description}
            </Text>
          )}
        </Box>
        <Group gap="xs">
          {actions}
          {request && (
            <Suspense fallback={<Skeleton w={92} h={30} />}>
              <CopyAs request={request} />
            </Suspense>
          )}
        </Group>
      </Group>
      {children}
    </Stack>
  );
}

/** Says how current the local copy is, once it has been read. */
export function useCurrentAt(): string | undefined {
  const { health } = useMessages(messages);
  const { currentAt } = useSession().health;
  const format = useFormat();
  return currentAt && health.current(format.shortInstant(currentAt));
}

/** The heading of a step of a screen. It takes the focus that a button of the step before had, and gives it back. */
export function StepTitle({ children }: { readonly children: string }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useFocusReturn();
  useEffect(() => {
    if (shown !== undefined && document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <Title order={2} ref={heading} tabIndex={-1} w="fit-content">
      {children}
    </Title>
  );
}

interface ScreenStateProps<T> {
  readonly query: Pick<UseQueryResult<T, BffError>, 'data' | 'error'> & { readonly refetch: () => Promise<unknown> };
  /** The outline of what is loaded. */
  readonly skeleton: ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** The state of a screen: its outline while it loads, what is wrong with a way to try again, or its content. */
export function ScreenState<T>({ query, skeleton, children }: ScreenStateProps<T>): ReactNode {
  const { isPending } = useLabels();
  if (query.data !== undefined && !isPending) return children(query.data);
  if (query.error) return <Failure error={query.error} retry={() => void query.refetch()} />;
  return <div aria-busy="true">{skeleton}</div>;
}

/** Problems that another try does not mend. */
const lasting: ReadonlySet<string> = new Set(['forbidden', 'not-found']);

interface FailureProps {
  readonly error: unknown;
  readonly retry?: () => void;
  /** What becomes of the input, for example. */
  readonly hint?: string | undefined;
  /** Whether it was a read, which changes nothing. */
  readonly isRead?: boolean;
}

/** What is wrong, and how to go on. */
export function Failure({ error, retry, hint, isRead = retry !== undefined }: FailureProps): ReactNode {
  const text = useMessages(messages);
  const { code, requestId, errors } = error instanceof BffError ? error.problem : { code: 'internal' as const };
  const canRetry = retry !== undefined && !lasting.has(code);
  const hasMore = hint !== undefined || errors !== undefined || requestId !== undefined || canRetry;
  return (
    <Alert
      role="alert"
      color="red"
      variant="outline"
      icon={<IconAlertTriangle />}
      title={isRead && code === 'service-unavailable' ? text.noAnswer : text.problems[code]}
    >
      {hasMore && (
        <Stack gap="xs" align="flex-start">
          {hint !== undefined && <Text>{hint}</Text>}
          {errors?.map(({ pointer, detail, ...fault }) => (
            <Text key={pointer + String(detail)} lang="en">
              {[pointer, detail ?? fault.code].filter(Boolean).join(': ')}
            </Text>
          ))}
          {requestId !== undefined && <Text c="dimmed">{text.requestId(requestId)}</Text>}
          {canRetry && (
            <Button variant="default" size="xs" onClick={retry}>
              {text.retry}
            </Button>
          )}
        </Stack>
      )}
    </Alert>
  );
}

/** Instead of a screen that cannot be loaded, such as after an update of the console, or that failed. */
export function ScreenFailure(): ReactNode {
  const { screenFailure: text, retry } = useMessages(messages);
  return (
    <Page title={text.title} description={text.reason}>
      <Box>
        <Button variant="default" onClick={() => location.reload()}>
          {retry}
        </Button>
      </Box>
    </Page>
  );
}

/** Instead of a screen, at an address that has none. */
export function ScreenMissing(): ReactNode {
  const { screenMissing: text, today } = useMessages(messages);
  return (
    <Page title={text.title} description={text.reason}>
      <Box>
        <AnchorLink to="/">{today}</AnchorLink>
      </Box>
    </Page>
  );
}

export interface EmptyProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
}

/** Why a list is empty, and what to do. */
export function Empty({ icon, title, children }: EmptyProps): ReactNode {
  return (
    <Center className="panel" py={48} px="md">
      <Stack align="center" gap={6} maw={420} ta="center">
        <Box c="dimmed" aria-hidden>
          {icon}
        </Box>
        <Text fw={600}>{title}</Text>
        {children !== undefined && (
          <Text c="dimmed" component="div">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  );
}
