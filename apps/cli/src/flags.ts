import type { OutputFlags } from './output/write-records.ts';

/** The flags of every command. */
export interface Flags extends OutputFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly clientSecretFile?: string;
  /** A column with labels beside each column of keys. */
  readonly labels?: true;
  readonly quiet?: true;
  readonly verbose?: true;
  /** False with `--no-input`. */
  readonly input: boolean;
  readonly yes?: true;
  /** Maximum age of the local copy for reading it, in seconds. */
  readonly maxAge: number;
  /** Maximum time without progress, in seconds. */
  readonly wait?: number;
}
