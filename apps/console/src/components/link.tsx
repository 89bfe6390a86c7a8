import { Anchor, Button, type AnchorProps, type ButtonProps } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { bffAddress } from '../shell/bff.ts';

/** A link to a screen within a text. */
export const AnchorLink = createLink((props: AnchorProps & ComponentPropsWithRef<'a'>) => (
  <Anchor inherit {...props} />
));

/** A link to a screen that looks like a button. */
export const ButtonLink = createLink((props: ButtonProps & ComponentPropsWithRef<'a'>) => (
  <Button component="a" size="xs" {...props} />
));

interface PersonLinkProps extends Pick<AnchorProps, 'c' | 'fw' | 'underline'> {
  readonly id: string;
  readonly 'aria-label'?: string;
  readonly children: ReactNode;
}

export function PersonLink({ id, ...props }: PersonLinkProps): ReactNode {
  return <AnchorLink {...props} to="/people/$personId" params={{ personId: id }} />;
}

interface DownloadButtonProps {
  /** Below `/bff/`, with encoded parameters. */
  readonly path: string;
  readonly query: Parameters<typeof bffAddress>[1];
  readonly children: string;
}

/** Saves a file of the backend. */
export function DownloadButton({ path, query, children }: DownloadButtonProps): ReactNode {
  return (
    <Button
      component="a"
      href={bffAddress(path, query)}
      download
      variant="default"
      size="xs"
      leftSection={<IconDownload size={14} aria-hidden />}
    >
      {children}
    </Button>
  );
}
