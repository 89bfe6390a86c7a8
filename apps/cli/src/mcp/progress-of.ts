import type { ProgressToken, ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import type { ToolCall } from './tool.ts';

/** Sends a notification to the client. */
export type Notify = (notification: ServerNotification) => Promise<void>;

const INTERVAL_MS = 250;

/** Reports the progress of a call, if the client wants that. It never goes back, also when the next phase begins. */
export function progressOf(progressToken: ProgressToken | undefined, notify: Notify): ToolCall['progress'] {
  if (progressToken === undefined) return () => undefined;
  let phase = '';
  let offset = 0;
  let latest = 0;
  let sentAt = -Infinity;
  return (done, total, message) => {
    if (message !== phase) {
      phase = message;
      offset = latest;
      sentAt = -Infinity;
    }
    const progress = offset + done;
    if (progress <= latest || performance.now() - sentAt < INTERVAL_MS) return;
    sentAt = performance.now();
    latest = progress;
    const params = { progressToken, progress, message, ...(total !== undefined && { total: offset + total }) };
    // A client that has left needs no progress.
    notify({ method: 'notifications/progress', params }).catch(() => undefined);
  };
}
