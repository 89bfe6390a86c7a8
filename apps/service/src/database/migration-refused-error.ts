/** The tables are not up to date, and the database does not let this user change them. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
  readonly code = 'migration-refused';

  constructor(cause: unknown) {
    super('The user of HR_DATABASE may not bring the tables up to date: run migrate as their owner.', { cause });
  }
}
