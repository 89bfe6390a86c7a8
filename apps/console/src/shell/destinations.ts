import { IconBeach, IconCash, IconClock, IconCode, IconHome, IconServer, IconUsers } from '@tabler/icons-react';
import { useSees } from './session.ts';

const destinations = [
  { path: '/', name: 'today', Icon: IconHome },
  { path: '/people', name: 'people', Icon: IconUsers },
  { path: '/payments', name: 'payments', Icon: IconCash },
  { path: '/absences', name: 'absences', Icon: IconBeach },
  { path: '/time', name: 'time', Icon: IconClock },
  { path: '/api', name: 'api', Icon: IconCode },
  { path: '/system', name: 'system', Icon: IconServer },
] as const;

/** The screens that the navigation leads to. */
export function useDestinations() {
  const seesPay = useSees('pay');
  return destinations.filter(({ name }) => seesPay || name !== 'payments');
}
