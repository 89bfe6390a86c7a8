import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { absencesSearch } from '../absences/absences-search.ts';
import { contractSearch } from '../contract/contract-search.ts';
import { paymentsSearch } from '../payments/payments-search.ts';
import { peopleSearch } from '../people/people-search.ts';
import { personSearch } from '../person/person-search.ts';
import { systemSearch } from '../system/system-search.ts';
import { timeSearch } from '../time/time-search.ts';
import { ScreenFailure, ScreenMissing } from '../components/page.tsx';
import { Shell } from './shell.tsx';

const root = createRootRoute({ component: Shell });

const today = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(async () => await import('../today/today-screen.tsx'), 'TodayScreen'),
});

const people = createRoute({
  getParentRoute: () => root,
  path: '/people',
  validateSearch: peopleSearch,
  component: lazyRouteComponent(async () => await import('../people/people-screen.tsx'), 'PeopleScreen'),
});

const person = createRoute({
  getParentRoute: () => root,
  path: '/people/$personId',
  validateSearch: personSearch,
  component: lazyRouteComponent(async () => await import('../person/person-screen.tsx'), 'PersonScreen'),
});

const editAddress = createRoute({
  getParentRoute: () => root,
  path: '/people/$personId/address',
  component: lazyRouteComponent(async () => await import('../edit/edit-address-screen.tsx'), 'EditAddressScreen'),
});

const editBankDetails = createRoute({
  getParentRoute: () => root,
  path: '/people/$personId/bank-details',
  component: lazyRouteComponent(
    async () => await import('../edit/edit-bank-details-screen.tsx'),
    'EditBankDetailsScreen',
  ),
});

const contract = createRoute({
  getParentRoute: () => root,
  path: '/contracts/$contractId',
  validateSearch: contractSearch,
  component: lazyRouteComponent(async () => await import('../contract/contract-screen.tsx'), 'ContractScreen'),
});

const payments = createRoute({
  getParentRoute: () => root,
  path: '/payments',
  validateSearch: paymentsSearch,
  component: lazyRouteComponent(async () => await import('../payments/payments-screen.tsx'), 'PaymentsScreen'),
});

const absences = createRoute({
  getParentRoute: () => root,
  path: '/absences',
  validateSearch: absencesSearch,
  component: lazyRouteComponent(async () => await import('../absences/absences-screen.tsx'), 'AbsencesScreen'),
});

const time = createRoute({
  getParentRoute: () => root,
  path: '/time',
  validateSearch: timeSearch,
  component: lazyRouteComponent(async () => await import('../time/time-screen.tsx'), 'TimeScreen'),
});

const explorer = createRoute({
  getParentRoute: () => root,
  path: '/api',
  component: lazyRouteComponent(async () => await import('../explorer/explorer-screen.tsx'), 'ExplorerScreen'),
});

const system = createRoute({
  getParentRoute: () => root,
  path: '/system',
  validateSearch: systemSearch,
  component: lazyRouteComponent(async () => await import('../system/system-screen.tsx'), 'SystemScreen'),
});

export const router = createRouter({
  routeTree: root.addChildren([
    today,
    people,
    person,
    editAddress,
    editBankDetails,
    contract,
    payments,
    absences,
    time,
    explorer,
    system,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: ScreenFailure,
  defaultNotFoundComponent: ScreenMissing,
  // Parameters are texts: an id such as 007 is no number.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search: Readonly<Record<string, unknown>>) => {
    const given = Object.entries(search).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
    return text && `?${text}`;
  },
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
