import type { HrClient } from '@hr/client';
import type { Mirror, Outbox } from '@hr/client/mirror';
import { operations, type Operation, type OperationId } from '@hr/schemas';
import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import type { LocalCopy } from './local-copy.ts';

/** What a call was about, for the log: ids and numbers, no personal data. */
export interface CallFacts {
  readonly personIds?: readonly string[];
  readonly contractId?: string;
  readonly outboxId?: string;
  readonly counts?: Readonly<Record<string, number>>;
}

/** What a tool works with during one call. */
export interface ToolCall {
  readonly hr: HrClient;
  readonly mirror: Mirror;
  /** Opens the record of submitted payments. */
  readonly outbox: () => Promise<Outbox>;
  readonly copy: LocalCopy;
  /** Whether masked fields are shown. */
  readonly reveal: boolean;
  /** The most tokens of a result, as `tokensOf` estimates them. */
  readonly maxTokens: number;
  /** Aborts when the client cancels the call, or leaves. */
  readonly signal: AbortSignal;
  /** Reports a phase of the call to the client. */
  progress(done: number, total: number | undefined, message: string): void;
  /**
   * Asks the user of the client.
   *
   * @throws {ToolError} unless the user confirms.
   */
  confirm(question: string, label: string): Promise<void>;
  /** Notes facts for the log. */
  note(facts: CallFacts): void;
}

/** A tool of the server. */
export interface Tool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly annotations: ToolAnnotations;
  /** @throws {ToolError} if it cannot do what the call wants. */
  readonly run: (call: ToolCall, args: never) => Promise<object>;
}

/** A call that failed. The message goes to the model: it says what is wrong and what to do, without personal data. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
  /** For the log. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** What a tool adds to its operation, or to nothing. */
interface ToolParts<Shape extends z.core.$ZodLooseShape> {
  /** What a model should know, in sentences. */
  readonly about: string;
  readonly parameters: Shape;
  readonly run: (call: ToolCall, args: z.output<z.ZodObject<Shape>>) => Promise<object>;
}

const READ: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };
/** POST only adds, but a payment cannot be taken back here. */
const CHANGE: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: false };

/** Makes the tool of an operation. */
export function operationTool<Shape extends z.core.$ZodLooseShape>(id: OperationId, parts: ToolParts<Shape>): Tool {
  const { summary, method }: Operation = operations[id];
  const tool = readingTool(summary, [id], parts);
  return method === 'GET' ? tool : { ...tool, annotations: { ...CHANGE, idempotentHint: method !== 'POST' } };
}

/** Makes a tool that combines what operations read. The rules of their parameters hold. */
export function readingTool<Shape extends z.core.$ZodLooseShape>(
  title: string,
  ids: readonly OperationId[],
  { about, parameters, run }: ToolParts<Shape>,
): Tool {
  const input = z.strictObject(parameters).check(...ids.flatMap(rulesOf));
  return { title, description: `${title}. ${about}`, input, annotations: READ, run };
}

/** The rules between the parameters of an operation, such as the order of two dates. */
function rulesOf(id: OperationId): never[] {
  const { query, body }: Operation = operations[id];
  return [...(query.def.checks ?? []), ...(body?.def.checks ?? [])] as never[];
}
