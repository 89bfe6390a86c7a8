import { addAbsencesRoutes } from './absences/absences-routes.ts';
import { addContractRoutes } from './contract/contract-routes.ts';
import { addEditRoutes } from './edit/edit-routes.ts';
import { addExplorerRoutes } from './explorer/explorer-routes.ts';
import { addLabelsRoutes } from './system/labels-routes.ts';
import { addPaymentsRoutes } from './payments/payments-routes.ts';
import { addPeopleRoutes } from './people/people-routes.ts';
import { addPersonRoutes } from './person/person-routes.ts';
import { addSystemRoutes } from './system/system-routes.ts';
import { addTimeRoutes } from './time/time-routes.ts';
import { addTodayRoutes } from './today/today-routes.ts';
import type { Feature } from './backend/console.ts';

/** The screens. */
export const features: readonly Feature[] = [
  addTodayRoutes,
  addPeopleRoutes,
  addPersonRoutes,
  addEditRoutes,
  addContractRoutes,
  addPaymentsRoutes,
  addAbsencesRoutes,
  addTimeRoutes,
  addExplorerRoutes,
  addSystemRoutes,
  addLabelsRoutes,
];
