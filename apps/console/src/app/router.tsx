import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
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

/** A screen is loaded when somebody opens it, or points at a link to it. */
function screen<const Path extends string, Search extends object = object>(
  path: Path,
  load: () => Promise<() => ReactNode>,
  validateSearch: (input: Readonly<Record<string, unknown>>) => Search = () => ({}) as Search,
) {
  const component = lazyRouteComponent(async () => ({ default: await load() }));
  return createRoute({ getParentRoute: () => root, path, validateSearch, component });
}

const screens = [
  screen('/', async () => (await import('../today/today-screen.tsx')).TodayScreen),
  screen('/people', async () => (await import('../people/people-screen.tsx')).PeopleScreen, peopleSearch),
  screen('/people/$personId', async () => (await import('../person/person-screen.tsx')).PersonScreen, personSearch),
  screen('/people/$personId/address', async () => (await import('../edit/edit-screen.tsx')).EditAddressScreen),
  screen('/people/$personId/bank-details', async () => (await import('../edit/edit-screen.tsx')).EditBankDetailsScreen),
  screen(
    '/contracts/$contractId',
    async () => (await import('../contract/contract-screen.tsx')).ContractScreen,
    contractSearch,
  ),
  screen('/payments', async () => (await import('../payments/payments-screen.tsx')).PaymentsScreen, paymentsSearch),
  screen('/absences', async () => (await import('../absences/absences-screen.tsx')).AbsencesScreen, absencesSearch),
  screen('/time', async () => (await import('../time/time-screen.tsx')).TimeScreen, timeSearch),
  screen('/api', async () => (await import('../explorer/explorer-screen.tsx')).ExplorerScreen),
  screen('/system', async () => (await import('../system/system-screen.tsx')).SystemScreen, systemSearch),
] as const;

export const router = createRouter({
  routeTree: root.addChildren(screens),
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
