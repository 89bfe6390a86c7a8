import {
  ActionIcon,
  Alert,
  Indicator,
  Menu,
  Text,
  Tooltip,
  useMantineColorScheme,
  type MantineColorScheme,
} from '@mantine/core';
import { IconCheck, IconCloudOff, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useFormat } from '../shell/format.ts';
import { useLocale, useMessages, type Locale } from '../shell/locale.tsx';
import { messages } from '../shell/messages.ts';
import { signOut, useSession } from '../shell/session.ts';

const healthColors = { starting: 'blue', syncing: 'blue', current: 'green' } as const;
const colorSchemes: readonly MantineColorScheme[] = ['auto', 'light', 'dark'];
const languages: Readonly<Record<Locale, string>> = { en: 'English', de: 'Deutsch' };

/** The state of the local copy, and the menu of the person. */
export function HeaderMenus(): ReactNode {
  return (
    <>
      <Health />
      <AccountMenu />
    </>
  );
}

/** Says on every screen that it may be out of date, and since when. */
export function Outdated(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { health, lostSince } = useSession();
  const isLost = lostSince !== undefined;
  const { currentAt } = health;
  if (!isLost && (health.state !== 'failed' || currentAt === undefined)) return null;
  return (
    <Alert
      role="status"
      color="orange"
      variant="outline"
      mb="md"
      icon={<IconCloudOff aria-hidden />}
      title={
        isLost ? text.health.lost(format.shortInstant(lostSince)) : text.noAnswerSince(format.shortInstant(currentAt))
      }
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      {text.outdated}
    </Alert>
  );
}

function Health(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { health, lostSince, user } = useSession();
  const state = lostSince === undefined ? health.state : 'lost';
  const label =
    state === 'current' || state === 'lost'
      ? text.health[state](format.shortInstant(lostSince ?? health.currentAt))
      : text.health[state];
  const icon =
    state === 'failed' || state === 'lost' ? (
      <IconCloudOff size={24} stroke={1.7} color="var(--mantine-color-error)" aria-hidden />
    ) : (
      <Indicator color={healthColors[state]} size={10} processing={state === 'syncing'} position="middle-center">
        <span style={{ display: 'block', width: 24, height: 24 }} />
      </Indicator>
    );
  return (
    <Tooltip label={label}>
      {user.seesEveryone ? (
        <Link to="/system" aria-label={label} data-health={state}>
          {icon}
        </Link>
      ) : (
        <span role="img" aria-label={label} data-health={state}>
          {icon}
        </span>
      )}
    </Tooltip>
  );
}

function AccountMenu(): ReactNode {
  const text = useMessages(messages);
  const format = useFormat();
  const { user } = useSession();
  const { locale, setLocale } = useLocale();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu position="bottom-end" width={240} checkIcon={<IconCheck size={16} aria-hidden />}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label={text.account}>
          <IconUserCircle size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)">
            {text.signedInAs(user.name)}
          </Text>
          {format.list(user.roles.map((role) => text.roles[role]))}
        </Menu.Label>
        <Menu.Divider />
        <Menu.Label aria-hidden>{text.language}</Menu.Label>
        <div role="group" aria-label={text.language}>
          {(Object.keys(languages) as Locale[]).map((language) => (
            <Menu.RadioItem
              key={language}
              lang={language}
              value={language}
              checked={language === locale}
              onChange={() => setLocale(language)}
            >
              {languages[language]}
            </Menu.RadioItem>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Label aria-hidden>{text.theme}</Menu.Label>
        <div role="group" aria-label={text.theme}>
          {colorSchemes.map((scheme) => (
            <Menu.RadioItem
              key={scheme}
              value={scheme}
              checked={scheme === colorScheme}
              onChange={() => setColorScheme(scheme)}
            >
              {text.themes[scheme]}
            </Menu.RadioItem>
          ))}
        </div>
        <Menu.Divider />
        <Menu.Item onClick={() => void signOut()}>{text.signOut}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
