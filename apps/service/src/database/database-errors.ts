/** The database cannot be reached or is going down; the same call may succeed later. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  readonly code = 'database-unavailable';

  constructor(options?: ErrorOptions) {
    super('The database cannot be reached now.', options);
  }
}

/** As many lists are being read as may be at a time. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';
  readonly code = 'database-busy';

  constructor() {
    super('Too many lists are being read at the same time.');
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
