import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';
import type { Config } from './config.ts';

/** The log: JSON, one line an event, to the standard output or to `destination`. */
export function createLog(level: Config['logLevel'], destination?: DestinationStream): Logger {
  const options = {
    level,
    // Neither process id nor host name.
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}

/** An error's name and code, for the log, and its stack frames if wanted. Its message may hold personal data. */
export function describeError(error: Error, withFrames = false): object {
  return {
    name: error.name,
    ...('code' in error && { code: String(error.code) }),
    // To write them costs more than the rest of the line.
    ...(withFrames && { frames: framesOf(error) }),
    ...(error.cause instanceof Error && { cause: describeError(error.cause, withFrames) }),
  };
}

function framesOf({ stack = '', message }: Error): string[] {
  const behindMessage = stack.slice(stack.indexOf(message) + message.length);
  return behindMessage.split('\n').flatMap((line) => /^ {4}at (.+)$/.exec(line)?.[1] ?? []);
}
