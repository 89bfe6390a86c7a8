export { HrTestingError } from '../hr-testing-error.ts';
export type { HrTestingErrorCode } from '../hr-testing-error.ts';
export { statesOf } from './provider-states.ts';
export type { Given, ProviderState, ProviderStates, StateName, StateParameters } from './provider-states.ts';
export { readState, stateNames } from './read-state.ts';
export { scenarioOf } from './scenario.ts';
export type { Scenario, ScenarioMember } from './scenario.ts';
