export { matchesAbsenceFilter, monthOf, withinMonths } from './filters.ts';
export {
  applyPatch,
  applyDelta,
  deletedAbsence,
  deletedPerson,
  deletedTimeBookingDay,
  erasedPerson,
  personDelta,
} from './person-changes.ts';
export { compareComponentVersions, isComponentVersion, REQUIRED_TIME_COMPONENT_VERSION } from './component-version.ts';
export { cellOfText, textOfCell } from './csv-cell.ts';
export { fieldsOf, ownerOf, systems } from './ownership.ts';
export type { System } from './ownership.ts';
export type { PersonDelta } from '../generated/models.ts';
