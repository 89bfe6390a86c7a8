export { matchesAbsenceFilter } from './absence-filter.ts';
export { applyPatch } from './apply-patch.ts';
export { compareComponentVersions, isComponentVersion, REQUIRED_TIME_COMPONENT_VERSION } from './component-version.ts';
export { monthOf, withinMonths } from './month-filter.ts';
export { fieldsOf, ownerOf, systems } from './ownership.ts';
export type { System } from './ownership.ts';
export {
  applyDelta,
  deletedAbsence,
  deletedPerson,
  deletedTimeBookingDay,
  erasedPerson,
  personDelta,
} from './person-delta.ts';
export type { PersonDelta } from '../generated/models.ts';
