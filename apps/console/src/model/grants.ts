/**
 * What people may do, with the persons that the same grant names. Everybody may read.
 *
 * - `editor`: changes addresses and bank details, submits payments
 * - `approver`: decides on the payments of others
 * - `operator`: changes what clients may use and see, and their webhook endpoints
 * - `administrator`: names keys, which gives no access to data
 */
export const roles = ['viewer', 'editor', 'approver', 'operator', 'administrator'] as const;
export type Role = (typeof roles)[number];

/**
 * What people may see beside the rest of a person.
 *
 * - `pay`: salaries, payments and bank details
 * - `birth`: date and name of birth, citizenship and gender
 */
export const dataRights = ['pay', 'birth'] as const;
export type DataRight = (typeof dataRights)[number];

/**
 * Roles, data and persons that belong together, as words. The persons are `everyone`, `reports` (those who report to the
 * person, also through others), `entity:ID` of a legal entity, and `group:ID`. What one grant allows does not hold for the
 * persons of another one.
 */
export type Grant = readonly string[];

const WORD = new RegExp(`^(?:${[...roles, ...dataRights, 'everyone', 'reports'].join('|')}|(?:entity|group):.+)$`);

/** Whose data the grant is about, in words. */
export function whomOf(grant: Grant): string[] {
  return grant.filter((word) => /^(?:everyone|reports|(?:entity|group):.+)$/.test(word));
}

/** The roles that some grants have, all together. */
export function rolesOf(grants: readonly Grant[]): Role[] {
  return roles.filter((role) => role === 'viewer' || grants.some((grant) => grant.includes(role)));
}

/**
 * Reads a grant such as `editor,pay,entity:1001`.
 *
 * @throws {RangeError} Its message says what is wrong, and what is allowed.
 */
export function readGrant(text: string): Grant {
  const words = text.split(',').flatMap((word) => word.trim() || []);
  const unknown = words.find((word) => !WORD.test(word));
  if (unknown !== undefined) {
    throw new RangeError(
      `${unknown} is unknown. Allowed are the roles ${roles.join(', ')}, the data ${dataRights.join(', ')}, and the persons everyone, reports, entity:ID and group:ID.`,
    );
  }
  if (!words.some((word) => roles.some((role) => role === word))) {
    throw new RangeError(`A role is missing. Add one of ${roles.join(', ')}.`);
  }
  if (whomOf(words).length === 0) {
    throw new RangeError('The persons are missing. Add everyone, reports, entity:ID or group:ID.');
  }
  return words;
}
