import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Acting, CopyRead } from './acting.ts';
import type { HrCloud } from './hr-cloud.ts';
import { describeError } from './log.ts';
import { tryToStore } from './problem.ts';
import type { Records } from './records.ts';
import { membersOf } from './teams.ts';

/** Returns whose data of the local copy a request shows; an empty text means that of many. */
type Subject = (request: FastifyRequest) => string;

const many: Subject = () => '';
const ofPath: Subject = ({ params }) => (params as { readonly id: string }).id;
const ofQuery: Subject = ({ query }) => (query as { readonly person?: string }).person ?? '';

/** The routes that show persons of the local copy. */
export const subjects: Readonly<Record<string, Subject>> = {
  '/bff/today': many,
  '/bff/people': many,
  '/bff/people/csv': many,
  '/bff/missing': many,
  '/bff/people/:id': ofPath,
  '/bff/people/:id/address': ofPath,
  '/bff/people/:id/bank-details': ofPath,
  '/bff/people/:id/bank-details/reveal': ofPath,
  '/bff/payments/contracts': many,
  '/bff/payments/check': many,
  '/bff/absences': many,
  '/bff/absences/csv': many,
  '/bff/time': ofQuery,
  '/bff/time/team': many,
  '/bff/time/persons': many,
};

const SEND_MS = 1000;
/** The service takes no more at once. */
const MAX_EVENTS = 1000;

interface Told {
  readonly cloud: HrCloud;
  readonly records: Records;
}

/** Tells the audit of the service who saw the local copy: one event for a screen. What it cannot tell waits. */
export class CopyReads implements AsyncDisposable {
  readonly #console: Told;
  readonly #log: Logger;
  /** While the disk is full, people go on reading. */
  readonly #unstored: CopyRead[] = [];
  readonly #timer = setInterval(() => void this.send(), SEND_MS).unref();
  #sending: Promise<void> | undefined;

  constructor(context: Told, log: Logger) {
    this.#console = context;
    this.#log = log;
  }

  /** Remembers that the response to a request shows persons, if it does. */
  note(request: FastifyRequest, { actingPerson, purpose }: Acting): void {
    const { records, cloud } = this.#console;
    const subject = subjects[request.routeOptions.url ?? '']?.(request);
    if (subject === undefined) return;
    const personId = subject === '' ? undefined : subject;
    // The grants cover no person, so the response shows none.
    if (personId !== undefined && request.view.person(personId) === undefined) return;
    const elements = personId === undefined ? membersOf(request.view).length : 1;
    if (elements === 0) return;
    const read = { id: uuidV7(cloud.serviceNow()), actingPerson, purpose, personId, elements };
    if (tryToStore(() => records.addCopyRead(read)) === undefined) this.#unstored.push(read);
  }

  /** Number of events that wait. */
  get waiting(): number {
    return this.#console.records.countCopyReads() + this.#unstored.length;
  }

  /** Sends the events that wait. */
  send(): Promise<void> {
    return (this.#sending ??= this.#send().finally(() => (this.#sending = undefined)));
  }

  async #send(): Promise<void> {
    const { records, cloud } = this.#console;
    try {
      for (;;) {
        const events = [...this.#unstored.slice(0, MAX_EVENTS / 2), ...records.copyReads(MAX_EVENTS / 2)];
        if (events.length === 0) return;
        // oxlint-disable-next-line no-await-in-loop -- in their order
        await cloud.operator.recordReads(events);
        const sent = new Set(events.map(({ id }) => id));
        this.#unstored.splice(0, this.#unstored.findLastIndex(({ id }) => sent.has(id)) + 1);
        // Events that are sent twice are stored once.
        records.deleteCopyReads([...sent]);
      }
    } catch (error) {
      this.#log.warn({ error: describeError(error) }, 'Reads of the local copy cannot be told to the service now.');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.send();
  }
}

/** A UUID of version 7 (RFC 9562), which begins with a moment in milliseconds. */
function uuidV7(milliseconds: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(milliseconds, 0, 6);
  bytes.writeUInt8(0x70 | (bytes.readUInt8(6) & 0x0f), 6);
  bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
