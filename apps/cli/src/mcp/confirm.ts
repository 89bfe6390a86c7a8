import { printable } from '@hr/text/printable';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { shortText } from './fitted.ts';
import { ToolError } from './tool.ts';

/** How long the user can think. */
const TIMEOUT_MS = 600_000;
const LATE: number = ErrorCode.RequestTimeout;
const MAX_TEXT_LENGTH = 120;

/**
 * Asks the user to confirm a change, in a form of the client. The model does not take part.
 *
 * @throws {ToolError} unless the user confirms.
 */
export async function confirm(
  { server }: McpServer,
  question: string,
  label: string,
  signal: AbortSignal,
): Promise<void> {
  if (!server.getClientCapabilities()?.elicitation?.form) {
    throw new ToolError(
      'no-confirmation',
      'Nothing was sent: the user has to confirm this change in a form, which this client cannot show (it has no "elicitation"). Use a client with elicitation, or the command hr.',
    );
  }
  const requestedSchema = {
    type: 'object' as const,
    properties: { confirm: { type: 'boolean' as const, title: label, default: false } },
    required: ['confirm'],
  };
  const form = { mode: 'form' as const, message: question, requestedSchema };
  try {
    const answer = await server.elicitInput(form, { signal, timeout: TIMEOUT_MS });
    if (answer.action === 'accept' && answer.content?.['confirm'] === true) return;
  } catch (error) {
    signal.throwIfAborted();
    const isLate = error instanceof McpError && error.code === LATE;
    throw isLate
      ? new ToolError('not-confirmed', 'Nothing was sent: the user did not answer within ten minutes.')
      : new ToolError('no-confirmation', 'Nothing was sent: the client could not ask the user to confirm this.');
  }
  throw new ToolError(
    'not-confirmed',
    'Nothing was sent: the user did not confirm. Do not call the tool again unless the user asks for it.',
  );
}

/** A text in a question. It cannot look like another line of the question, and stays short. */
export function inQuestion(value: unknown): string {
  return shortText(printable(String(value)), MAX_TEXT_LENGTH);
}
