import type { Changes } from '@hr/schemas/checks';
import { check } from './webhook-error.ts';

/**
 * An event of the HR Cloud. It says that something happened, and contains no personal data: read what changed with the
 * client.
 *
 * @sealed
 */
export interface WebhookEvent {
  /** The same each time that the service sends the event: ignore an event whose id you have seen. */
  readonly id: string;
  /** A later version of the service may send other types: ignore those that you do not know. */
  readonly type: 'changes' | (string & {});
  /** When it happened, such as `2026-01-31T12:00:00.000Z`. */
  readonly timestamp: string;
  /** Fields that this version does not know are there as they were sent. */
  readonly data: WebhookData;
}

/**
 * What an event says.
 *
 * @sealed
 */
export interface WebhookData {
  /** Position in the changes of the service. Always there if the type is `changes`. */
  readonly cursor: string | undefined;
  /** What changed. Empty if the type is another one and has none. A later version of the service may send other names. */
  readonly changed: Readonly<Changes['changed']>;
}

/**
 * The event of a body whose signature matched.
 *
 * @throws {WebhookError} `invalid-body`.
 */
export function webhookEvent(id: string, text: string): WebhookEvent {
  const body = jsonObject(text);
  const { type, timestamp } = body;
  const data = Object(body['data']) as Readonly<Record<string, unknown>>;
  const isChanges = type === 'changes';
  const { cursor, changed = isChanges ? undefined : [] } = data;
  check(
    typeof type === 'string' &&
      typeof timestamp === 'string' &&
      (typeof cursor === 'string' || (cursor === undefined && !isChanges)) &&
      Array.isArray(changed) &&
      changed.every((name) => typeof name === 'string'),
    'invalid-body',
    'The signature matches, but the body is not an event of the HR Cloud. Check that only it has the secret, or update @hr/client.',
  );
  return { ...body, id, type, timestamp, data: { ...data, cursor, changed } };
}

/** Empty if the text is anything else. */
function jsonObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
