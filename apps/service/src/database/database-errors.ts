// Conditions by the names that PostgreSQL gives them.
export const LOCK_NOT_AVAILABLE = '55P03';
export const INSUFFICIENT_PRIVILEGE = '42501';
export const INVALID_PARAMETER_VALUE = '22023';
export const UNIQUE_VIOLATION = '23505';

/** The condition that PostgreSQL reports (SQLSTATE) in an error, or in the cause of a {@link DatabaseUnavailableError}. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
  return cause?.code ?? code;
}

interface Reason {
  readonly code: string;
  readonly message: string;
  /** What an operator can do. */
  readonly remedy: string;
  /** Whether the same call is likely to succeed in a moment. Default `true`. */
  readonly mayPass?: boolean;
}

/** Why a call of the database fails through no fault of its own. */
const reasons = {
  unreachable: {
    code: 'database-unavailable',
    message: 'The database cannot be reached now.',
    remedy: 'See whether PostgreSQL runs where HR_DATABASE says.',
  },
  stopping: {
    code: 'database-stopping',
    message: 'The database is stopping or starting, or it has ended the connection.',
    remedy: 'Try again when PostgreSQL has started.',
  },
  readOnly: {
    code: 'database-read-only',
    message: 'The database takes no writes now: it is a standby or read-only.',
    remedy: 'Set HR_DATABASE to the primary, or to all servers of which one is the primary.',
  },
  noConnections: {
    code: 'database-no-connections',
    message: 'All connections to the database are in use.',
    remedy: 'Increase max_connections of PostgreSQL, or reduce HR_DATABASE_POOL and HR_DATABASE_LIST_POOL.',
  },
  waitTimeout: {
    code: 'database-wait-timeout',
    message: 'The request had no turn at the database in time, behind others of the same client or of many clients.',
    remedy: 'See in pg_stat_activity what the connections wait for, and in the log which client sends the requests.',
  },
  lockTimeout: {
    code: 'database-lock-timeout',
    message: 'Another transaction has locked what this one needs.',
    remedy: 'Try again when no import, migration or backup runs.',
  },
  conflict: {
    code: 'database-conflict',
    message: 'Another transaction was in conflict with this one, which was rolled back.',
    remedy: 'Try again.',
  },
  statementTimeout: {
    code: 'database-statement-timeout',
    message: 'The database has ended a statement that took too long.',
    remedy: 'See in the log of PostgreSQL which one, and whether the database is overloaded.',
    mayPass: false,
  },
  full: {
    code: 'database-full',
    message: 'The disk of the database is full.',
    remedy: 'Free disk space where the database is.',
    mayPass: false,
  },
  noResources: {
    code: 'database-no-resources',
    message: 'The database is out of memory or of another resource.',
    remedy: 'See in the log of PostgreSQL which one.',
    mayPass: false,
  },
  notReplicated: {
    code: 'database-not-replicated',
    message: 'The change is stored, but no standby has confirmed it: it may get lost when a standby takes over.',
    remedy: 'See whether the standbys of PostgreSQL run.',
    mayPass: false,
  },
} as const satisfies Record<string, Reason>;

export type UnavailableReason = keyof typeof reasons;

/** By PostgreSQL's conditions, and by their classes. */
const reasonsByState: Readonly<Record<string, UnavailableReason>> = {
  '08': 'unreachable',
  '25006': 'readOnly',
  '40': 'conflict',
  '53': 'noResources',
  '53100': 'full',
  '53300': 'noConnections',
  [LOCK_NOT_AVAILABLE]: 'lockTimeout',
  '57': 'stopping',
  '57014': 'statementTimeout',
};

/** Why a statement failed with this condition; `undefined` if something is wrong with the statement itself. */
export function reasonOfState(sqlState = ''): UnavailableReason | undefined {
  return reasonsByState[sqlState] ?? reasonsByState[sqlState.slice(0, 2)];
}

interface UnavailableOptions extends ErrorOptions {
  /** Default `unreachable`. */
  readonly reason?: UnavailableReason;
  /** Default `false`. */
  readonly mayBeStored?: boolean;
}

/** A call of the database failed through no fault of its own; see `reason`. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly reason: UnavailableReason;
  readonly code: string;
  /** What an operator can do. */
  readonly remedy: string;
  /** Whether the same call is likely to succeed in a moment. */
  readonly mayPass: boolean;
  /** Whether a change that was on its way may be stored all the same. */
  readonly mayBeStored: boolean;

  constructor({ reason = 'unreachable', mayBeStored = false, ...options }: UnavailableOptions = {}) {
    const { code, message, remedy, mayPass = true }: Reason = reasons[reason];
    const isUnknown = mayBeStored && reason !== 'notReplicated';
    super(isUnknown ? BROKEN_COMMIT : message, options);
    this.reason = reason;
    this.code = code;
    this.remedy = remedy;
    this.mayPass = mayPass;
    this.mayBeStored = mayBeStored;
  }
}

const BROKEN_COMMIT = 'The connection to the database broke while a change was being stored: it may be stored or not.';

/** As many lists are being read as may be at a time. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
  readonly code = 'database-busy';

  readonly mostLists: number;

  /** @param readers whose lists are counted */
  constructor(mostLists: number, readers: 'all clients' | 'this client' = 'all clients') {
    super(`Too many lists of ${readers} are open: the maximum is ${mostLists}.`);
    this.mostLists = mostLists;
  }
}

/** Changes since a day are asked for, and those of that day are no longer kept. */
export class ChangesExpiredError extends Error {
  override readonly name = 'ChangesExpiredError';
  readonly code = 'changes-expired';
  /** The first day since which they are. */
  readonly keptSince: string;

  constructor(keptSince: string) {
    super(`Changes are kept since ${keptSince} only.`);
    this.keptSince = keptSince;
  }
}

/** The folder of an embedded database is held by another process. */
export class FolderHeldError extends Error {
  override readonly name = 'FolderHeldError';
  readonly code = 'folder-held';

  constructor(folder: string) {
    super(`The database folder ${folder} is used by another process; stop it first, or choose another folder.`);
  }
}

/** The folder of an embedded database cannot be written to. */
export class FolderNotWritableError extends Error {
  override readonly name = 'FolderNotWritableError';
  readonly code = 'folder-not-writable';

  constructor(folder: string, options: ErrorOptions) {
    super(
      `The database folder ${folder} cannot be written to: let the user of the service write there, or choose another folder.`,
      options,
    );
  }
}

/** PostgreSQL is there and does not let this user, password or database name in. */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError';
  readonly code = 'database-refused';

  constructor(sqlState: string) {
    super(`PostgreSQL refuses the user, the password or the database of HR_DATABASE (${sqlState}).`);
  }
}
