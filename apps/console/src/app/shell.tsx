import { ActionIcon, AppShell, Badge, Burger, Button, Group, Kbd, Skeleton, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, type ReactNode } from 'react';
import { useDestinations } from '../shell/destinations.ts';
import { useMessages } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { useSession } from '../shell/session.ts';

// Menus and tooltips weigh more than the rest of the header.
const HeaderMenus = lazy(async () => ({ default: (await import('./header-menus.tsx')).HeaderMenus }));
// Loaded with them, because it shows when nothing can be loaded any more.
const Outdated = lazy(async () => ({ default: (await import('./header-menus.tsx')).Outdated }));
const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }));
const shortcut = /Mac|iP/.test(navigator.userAgent) ? '⌘K' : 'Ctrl K';
const NAVIGATION_WIDTH = 220;
const HEADER_HEIGHT = 52;

/** Navigation and header around each screen. */
export function Shell(): ReactNode {
  const text = useMessages(messages);
  const [isOpen, { toggle, close }] = useDisclosure();
  const { environment } = useSession();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  useEffect(close, [path, close]);

  return (
    <AppShell
      header={{ height: HEADER_HEIGHT }}
      navbar={{ width: NAVIGATION_WIDTH, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'sm', sm: 'lg' }}
    >
      <a className="skip-link" href="#content">
        {text.skip}
      </a>
      <AppShell.Header px="sm">
        <Group h="100%" justify="space-between" gap="xs" wrap="nowrap">
          <Group gap="xs" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={text.navigation} />
            <img src="/icon.svg" alt="" width={24} height={24} />
            <Text fw={600} visibleFrom="xs">
              HR Cloud
            </Text>
            <Badge c="dimmed" miw={0}>
              {environment}
            </Badge>
          </Group>
          <Group gap="xs" wrap="nowrap">
            <SearchButton />
            <Suspense fallback={<Skeleton w={62} h={30} />}>
              <HeaderMenus />
            </Suspense>
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" component="nav" aria-label={text.navigation}>
        {useDestinations().map(({ path: to, name, Icon }) => (
          <Link key={to} to={to} className="nav-link" activeOptions={{ exact: to === '/' }}>
            <Icon size={18} stroke={1.7} aria-hidden />
            {text[name]}
          </Link>
        ))}
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <Suspense>
          <Outdated />
        </Suspense>
        <Outlet />
      </AppShell.Main>
      <Suspense>
        <Palette />
      </Suspense>
    </AppShell>
  );
}

function openPalette(): void {
  void import('@mantine/spotlight').then(({ spotlight }) => spotlight.open());
}

function SearchButton(): ReactNode {
  const text = useMessages(messages);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        w={220}
        justify="flex-start"
        fw={400}
        c="dimmed"
        className="search-button"
        onClick={openPalette}
        leftSection={<IconSearch size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden>
            {shortcut}
          </Kbd>
        }
        visibleFrom="sm"
      >
        {text.searchShort}
      </Button>
      <ActionIcon variant="default" size={30} onClick={openPalette} aria-label={text.search} hiddenFrom="sm">
        <IconSearch size={16} aria-hidden />
      </ActionIcon>
    </>
  );
}
