/** PostgreSQL's condition for a lock that was waited for too long. */
export const LOCK_NOT_AVAILABLE = '55P03';

/** PostgreSQL's condition for a right that is missing. */
export const INSUFFICIENT_PRIVILEGE = '42501';

/** PostgreSQL's condition for a key that is there already. */
export const UNIQUE_VIOLATION = '23505';

/** The condition that PostgreSQL reports (SQLSTATE) in an error, or in the cause of a {@link DatabaseUnavailableError}. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code, cause } = error as { readonly code?: string; readonly cause?: { readonly code?: string } };
  return cause?.code ?? code;
}

/** The database cannot be reached or is going down; the same call may succeed later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code = 'database-unavailable';
  /** Whether a change that was on its way may be stored all the same. */
  readonly mayBeStored: boolean;

  constructor({ mayBeStored = false, ...options }: ErrorOptions & { readonly mayBeStored?: boolean } = {}) {
    super(
      mayBeStored
        ? 'The connection to the database broke while a change was being stored: it may be stored or not.'
        : 'The database cannot be reached now.',
      options,
    );
    this.mayBeStored = mayBeStored;
  }
}

/** As many lists are being read as may be at a time. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
  readonly code = 'database-busy';

  readonly mostLists: number;

  constructor(mostLists: number) {
    super('Too many lists are being read at the same time.');
    this.mostLists = mostLists;
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

/** PostgreSQL is there and does not let this user, password or database name in. */
export class DatabaseRefusedError extends Error {
  override readonly name = 'DatabaseRefusedError';
  readonly code = 'database-refused';

  constructor(sqlState: string) {
    super(`PostgreSQL refuses the user, the password or the database of HR_DATABASE (${sqlState}).`);
  }
}
