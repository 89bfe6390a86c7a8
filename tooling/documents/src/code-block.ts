/** A fenced block of a document. */
export interface CodeBlock {
  readonly document: string;
  /** Of its first line of code. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** The file that it is, where the line above is nothing but the name of one. */
  readonly fileName: string | undefined;
  /** What the program prints, where a block `text` follows. */
  readonly output: string | undefined;
  /** Whether it is the output of a program above. */
  readonly isOutput: boolean;
  /** An invisible line above: `<!-- checked by FILE -->` or `<!-- unchecked: REASON -->`. */
  readonly note: string | undefined;
}
