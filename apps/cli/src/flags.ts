import type { OutputFlags } from './output/write-records.ts';

/** The flags of every command. */
export interface Flags extends OutputFlags {
  readonly profile?: string;
  readonly baseUrl?: string;
  readonly clientSecretFile?: string;
  readonly quiet?: true;
  readonly verbose?: true;
  /** False with `--no-input`. */
  readonly input: boolean;
  readonly yes?: true;
}
