export { providerStates, statesOf } from './provider-states.ts';
export type { Given, State, StateName, StateParameters } from './provider-states.ts';
export { readState, stateNames } from './read-state.ts';
export { stageOf } from './stage.ts';
export type { Stage, StagedMember } from './stage.ts';
