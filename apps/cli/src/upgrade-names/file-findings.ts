/** A former name in a file, and what happens to it. */
export interface Finding {
  /** Offset in the text. */
  readonly at: number;
  readonly former: string;
  readonly current: string;
  /**
   * - `rename`: it is a field of the API
   * - `both`: the object has the current name, too
   * - `unclear`: nothing shows that the object is the API's
   * - `text`: it is in a string
   */
  readonly verdict: 'rename' | 'both' | 'unclear' | 'text';
}

/** A replacement of a part of a text. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** What a file has: former names, and the edits that rename them. */
export interface FileFindings {
  readonly findings: readonly Finding[];
  readonly edits: readonly Edit[];
}

/** A file that cannot be read as JSON or TypeScript. */
export class SourceError extends Error {
  /** Offset in the text. */
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
