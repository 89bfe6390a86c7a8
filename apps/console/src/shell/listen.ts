import { HEARTBEAT_MS, type LiveEvent } from '../backend/live-event.ts';

const EVENTS_PATH = '/bff/events';
/** Names the lock of the tab that has the stream, and the channel by which the others hear it. */
const NAME = 'hr-console-events';
const CHECK_MS = 1000;
const RECONNECT_MS = 2000;
/** A backend that is silent for longer does not run, or cannot be reached. */
const SILENCE_MS = 2.5 * HEARTBEAT_MS;
/** Time for a new stream before people are told. */
const PROBE_MS = 5000;
/** The tab with the stream may hang. Another one takes it over then. */
const TAKE_OVER_MS = 30_000;

type Message =
  | LiveEvent
  | { readonly type: 'opened' }
  | { readonly type: 'interrupted' }
  | { readonly type: 'refused' };

interface Listener {
  /** Receives what changed, and the state of the local copy. */
  readonly receive: (event: LiveEvent) => void;
  /** Called for each stream. Before the second one and later ones, events may have been missed. */
  readonly opened: (isFirst: boolean) => void;
  /** The backend refuses the stream, such as when the session has ended. */
  readonly refused: () => void;
  /** Receives since when there is no connection, an ISO 8601 instant; undefined when there is one again. */
  readonly lost: (since: string | undefined) => void;
}

/**
 * Listens to the backend until the returned function is called. All tabs of a browser share one stream, because browsers
 * have six connections to an origin.
 */
export function listen({ receive, opened, refused, lost }: Listener): () => void {
  const channel = new BroadcastChannel(NAME);
  const end = new AbortController();
  let stream: EventSource | undefined;
  let reconnection: ReturnType<typeof setTimeout> | undefined;
  let isFirst = true;
  let heardAt = Date.now();
  let deadline = heardAt + SILENCE_MS;
  let isProbing = false;
  let isLost = false;

  function hear(message: Message): void {
    if (message.type === 'interrupted') {
      deadline = Math.min(deadline, Date.now() + PROBE_MS);
      return;
    }
    if (message.type === 'refused') return refused();
    heardAt = Date.now();
    deadline = heardAt + SILENCE_MS;
    isProbing = false;
    if (isLost) lost(undefined);
    isLost = false;
    if (message.type === 'opened') {
      opened(isFirst);
      isFirst = false;
    } else receive(message);
  }
  function tell(message: Message): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel is of one origin
    channel.postMessage(message);
    hear(message);
  }
  channel.addEventListener('message', ({ data }) => hear(data as Message));

  function connect(): void {
    disconnect();
    const current = new EventSource(EVENTS_PATH);
    current.addEventListener('open', () => tell({ type: 'opened' }));
    current.addEventListener('message', ({ data }) => tell(JSON.parse(String(data)) as LiveEvent));
    current.addEventListener('error', () => {
      // The browser connects again by itself, unless the backend refuses the stream.
      const isRefused = current.readyState === EventSource.CLOSED;
      tell({ type: isRefused ? 'refused' : 'interrupted' });
      if (isRefused) reconnection = setTimeout(connect, RECONNECT_MS);
    });
    stream = current;
  }
  function disconnect(): void {
    clearTimeout(reconnection);
    stream?.close();
    stream = undefined;
  }

  async function lead(): Promise<void> {
    connect();
    await new Promise((resolve) => end.signal.addEventListener('abort', resolve));
  }
  /** Has the stream as soon as no other tab has it, until another one takes it over. */
  function queue(options: LockOptions): void {
    void navigator.locks.request(NAME, options, lead).catch(() => {
      disconnect();
      // A document that ends gets no lock any more, and no timer runs in it: without one, WebKit would never load the next.
      if (!end.signal.aborted) reconnection = setTimeout(() => queue({ signal: end.signal }), RECONNECT_MS);
    });
  }
  queue({ signal: end.signal });

  const watch = setInterval(() => {
    const now = Date.now();
    if (now < deadline) return;
    if (!isProbing) {
      // After a sleep, for example, a new stream is there at once.
      isProbing = true;
      deadline = now + PROBE_MS;
    } else {
      if (!isLost) lost(new Date(heardAt).toISOString());
      isLost = true;
      deadline = now + TAKE_OVER_MS;
    }
    if (stream) connect();
    else if (isLost && now > heardAt + TAKE_OVER_MS) queue({ steal: true });
  }, CHECK_MS);

  return () => {
    clearInterval(watch);
    end.abort();
    disconnect();
    channel.close();
  };
}
