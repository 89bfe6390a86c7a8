import { exitCodes, type ExitCode } from '../cli-error.ts';
import type { Examination } from './examination.ts';

/** One thing that `hr doctor` looks at. */
export interface Check {
  readonly name: string;
  /** The checks without which this one makes no sense. */
  readonly needs: readonly string[];
  /**
   * Resolves with what it found, if all is well.
   *
   * @throws {Fault} If it is not.
   * @throws {Skip} If there is nothing to look at.
   */
  readonly run: (examination: Examination) => Promise<string>;
}

/** What is wrong, and what to do about it. */
export class Fault extends Error {
  readonly remedy: string;
  readonly exitCode: ExitCode;

  constructor(message: string, remedy: string, exitCode: ExitCode = exitCodes.failure) {
    super(message);
    this.remedy = remedy;
    this.exitCode = exitCode;
  }
}

/** Why a check has nothing to look at. */
export class Skip extends Error {}
