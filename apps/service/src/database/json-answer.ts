import type { Readable } from 'node:stream';

/** JSON as text or as a stream of its bytes. */
export interface JsonAnswer {
  readonly json: Readable | string;
  /** How many records it tells of; of a stream, those of the pages that it has begun to give. */
  readonly elements: number;
  /** Whom it tells of, where the path that was asked does not say so. */
  readonly subject?: Subject;
  /** Where to go on: the header `HR-Cursor`. */
  readonly cursor?: string | undefined;
}

/** A list that is read while it is sent. */
export interface JsonStream extends JsonAnswer {
  readonly json: Readable;
}

/** Whom or what something is about. */
export interface Subject {
  readonly personId?: string | undefined;
  readonly payrollContractId?: string | undefined;
  /** Anything else that has an id: a payment, a client. */
  readonly objectId?: string | undefined;
  /** The names of the fields of the person that changed. */
  readonly fields?: readonly string[] | undefined;
}

/** An answer that tells of one record. */
export function oneRecord(json: string, subject?: Subject): JsonAnswer {
  return { json, elements: 1, ...(subject && { subject }) };
}

/** The rest of an object's JSON text, after members that are written already: `,"deleted":true}`. */
export function restOfObject(fields: object): string {
  return `,${JSON.stringify(fields).slice(1)}`;
}
