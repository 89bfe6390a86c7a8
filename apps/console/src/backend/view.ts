import type { Absence, Person, TimeBookingPerson } from '@hr/client';
import type { DayQuery, Mirror, MirroredPerson, PersonQuery } from '@hr/client/mirror';
import { dataRights, whomOf, type DataRight, type Grant, type Role } from '../model/grants.ts';
import { teamOf } from '../model/team.ts';
import type { HrCloud } from './hr-cloud.ts';
import type { PersonChange } from './person-changes.ts';
import type { User } from './records.ts';
import { membersOf } from './teams.ts';

/** Whose view it is: what their grants allow, and who reports to them. */
type Viewer = Pick<User, 'grants' | 'employeeNumber'>;
type Word = Role | DataRight;

/** The console itself, such as to delete drafts about deleted persons. */
export const consoleItself: Viewer = { grants: [[...dataRights, 'everyone']], employeeNumber: undefined };

/** The fields that need a right. A pension starts at an age, so it tells the date of birth. */
const protectedFields: Readonly<Record<DataRight, readonly (keyof Person)[]>> = {
  pay: ['bankDetails'],
  birth: ['dateOfBirth', 'birthName', 'citizenship', 'gender', 'expectedStartOfPension'],
};

/** A person as somebody sees them. */
export interface SeenPerson extends MirroredPerson {
  /** Also if they are not shown. */
  readonly hasBankDetails: boolean;
  /** The rights without which some fields are missing. */
  readonly withheld: readonly DataRight[];
}

type Source = Pick<Mirror, 'persons' | 'person' | 'bookings' | 'absences' | 'status' | 'runs'>;

/**
 * The local copy as somebody may see it. Persons whom no grant covers do not exist in it, and fields are missing that no
 * grant for their person allows.
 */
export class View implements Source {
  readonly #cloud: Pick<HrCloud, 'mirror' | 'changes'>;
  readonly #viewer: Viewer;
  readonly #seesAll: boolean;
  /** The persons of each grant; undefined for everybody. */
  #covered: readonly (ReadonlySet<string> | undefined)[] = [];
  #members: object | undefined;
  #people: object;

  constructor(cloud: Pick<HrCloud, 'mirror' | 'changes'>, viewer: Viewer) {
    this.#cloud = cloud;
    this.#viewer = viewer;
    this.#seesAll = this.mayForAll('pay', 'birth');
    this.#people = this.audience;
  }

  /** Brings the persons of the grants up to date. */
  refresh(): this {
    const { grants, employeeNumber } = this.#viewer;
    if (grants.every((grant) => grant.includes('everyone'))) return this;
    const members = membersOf(this.#cloud.mirror);
    if (members === this.#members) return this;
    this.#members = members;
    this.#people = this.mayForAll() ? this.audience : {};
    this.#covered = grants.map((grant) => coveredBy(grant, members, employeeNumber));
    return this;
  }

  /** What is the same for all who see the same persons. */
  get audience(): object {
    return this.mayForAll() ? this.#cloud.mirror : this;
  }
  /** The audience, and for some persons also the sync by which they were found. */
  get people(): object {
    return this.#people;
  }
  /** What is allowed with whom. */
  get scope(): unknown {
    return [this.#viewer.grants, this.#covered];
  }

  /** Whether one grant for everybody allows all of some words; without a word, whether there is one. */
  mayForAll(...words: readonly Word[]): boolean {
    return this.#viewer.grants.some((grant) => grant.includes('everyone') && allows(grant, words));
  }

  /** Whether one grant that covers a person allows all of some words; without a word, whether the person exists here. */
  may(personId: string, ...words: readonly Word[]): boolean {
    return this.#viewer.grants.some(
      (grant, index) => allows(grant, words) && (this.#covered[index]?.has(personId) ?? grant.includes('everyone')),
    );
  }

  /** Whether some grant allows a word. */
  mayForSome(word: Word): boolean {
    return this.#viewer.grants.some((grant) => grant.includes(word));
  }

  status: Mirror['status'] = () => this.#cloud.mirror.status();
  runs: Mirror['runs'] = (limit) => this.#cloud.mirror.runs(limit);

  person(id: string): SeenPerson | undefined {
    const mirrored = this.may(id) ? this.#cloud.mirror.person(id) : undefined;
    if (mirrored === undefined) return undefined;
    const { person, seen } = mirrored;
    const hidden = this.#hiddenOf(person);
    return {
      person: without(person, hidden),
      seen: without(seen, hidden),
      hasBankDetails: Boolean(person.bankDetails),
      withheld: this.#withheld(id),
    };
  }

  /** The limit counts the persons who exist here. */
  *persons({ limit = Infinity, ...query }: PersonQuery = {}): IterableIterator<Person> {
    if (this.#seesAll) return yield* this.#cloud.mirror.persons({ ...query, ...(limit !== Infinity && { limit }) });
    let left = limit;
    for (const person of left > 0 ? this.#cloud.mirror.persons(query) : []) {
      if (!this.may(person.id)) continue;
      yield without(person, this.#hiddenOf(person));
      if (--left <= 0) return undefined;
    }
    return undefined;
  }

  bookings(query: DayQuery = {}): IterableIterator<TimeBookingPerson> {
    return this.#ofSeen(query, (asked) => this.#cloud.mirror.bookings(asked));
  }

  absences(query: DayQuery = {}): IterableIterator<Absence> {
    return this.#ofSeen(query, (asked) => this.#cloud.mirror.absences(asked));
  }

  /** What changed of a person, the oldest first. */
  changes(personId: string): PersonChange[] {
    if (!this.may(personId)) return [];
    return this.#cloud.changes.of(personId).map((change) => {
      const hidden = this.#hiddenOf({ id: personId, ...change.before }, { id: personId, ...change.now });
      return { ...change, before: without(change.before, hidden), now: without(change.now, hidden) };
    });
  }

  *#ofSeen<Row extends { readonly personId: string }>(
    query: DayQuery,
    read: (query: DayQuery) => IterableIterator<Row>,
  ): IterableIterator<Row> {
    if (query.personId !== undefined && !this.may(query.personId)) return;
    for (const row of read(query)) if (this.may(row.personId)) yield row;
  }

  #withheld(personId: string): DataRight[] {
    return dataRights.filter((right) => !this.may(personId, right));
  }

  /** The names of fields that are not shown, of versions of a person. A manager who does not exist here has no id. */
  #hiddenOf(...versions: readonly Pick<Person, 'id' | 'managerId'>[]): readonly string[] {
    const hidden: string[] = this.#withheld(versions[0]?.id ?? '').flatMap((right) => protectedFields[right]);
    if (versions.some(({ managerId }) => managerId && !this.may(managerId))) hidden.push('managerId');
    return hidden;
  }
}

function allows(grant: Grant, words: readonly Word[]): boolean {
  return words.every((word) => grant.includes(word));
}

function without<Values extends object>(values: Values, names: readonly string[]): Values {
  if (names.length === 0) return values;
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name))) as Values;
}

/** Only a number that one person has says which person somebody is. */
function coveredBy(
  grant: Grant,
  members: ReturnType<typeof membersOf>,
  employeeNumber: string | undefined,
): Set<string> | undefined {
  const whom = whomOf(grant);
  if (whom.includes('everyone')) return undefined;
  const found = whom.flatMap((word) => {
    const [, part, id] = /^(entity|group):(.+)$/.exec(word) ?? [];
    if (part !== undefined) return teamOf(members, { [part]: id });
    const self = employeeNumber ? members.filter((member) => member.employeeNumber === employeeNumber) : [];
    return self.length === 1 ? teamOf(members, { manager: self[0]?.id }) : [];
  });
  return new Set(found.map(({ id }) => id));
}

/** Those who asked last have theirs at hand. */
const MAX_VIEWS = 100;

/** Returns a function that gives people their views, as the local copy is now. */
export function viewsOf(cloud: Pick<HrCloud, 'mirror' | 'changes'>): (viewer: Viewer) => View {
  const views = new Map<string, View>();
  return ({ grants, employeeNumber }) => {
    const self = grants.some((grant) => grant.includes('reports')) ? employeeNumber : undefined;
    const key = JSON.stringify([grants, self]);
    const view = views.get(key) ?? new View(cloud, { grants, employeeNumber: self });
    views.delete(key);
    views.set(key, view);
    for (const oldest of views.keys()) if (views.size > MAX_VIEWS) views.delete(oldest);
    return view.refresh();
  };
}
