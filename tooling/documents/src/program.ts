/** TypeScript that a document shows, as a file of its own: its lines have the numbers they have in the document. */
export interface Program {
  /** Where it stands in the workspace. */
  readonly document: string;
  /** Its file, in the folder of all programs. */
  readonly file: string;
  readonly text: string;
}
