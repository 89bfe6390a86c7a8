import {
  createTheme,
  defaultVariantColorsResolver,
  type CSSVariablesResolver,
  type MantineColorsTuple,
} from '@mantine/core';
import { createElement, type ComponentProps, type MouseEvent, type ReactNode } from 'react';

/** The one accent colour. */
const brand: MantineColorsTuple = [
  '#e9f6f3',
  '#d6ebe6',
  '#addacf',
  '#7fc7b7',
  '#58b5a2',
  '#35a08c',
  '#1f8d79',
  '#0e7a67',
  '#0b6557',
  '#084c42',
];

/** The greys of the component library, with the hue of the accent, so that its parts match the surfaces below. */
const gray: MantineColorsTuple = [
  '#f6f8f7',
  '#eff4f2',
  '#e4eae8',
  '#dfe5e3',
  '#c6cfcc',
  '#a5b0ac',
  '#7f8b87',
  '#47524f',
  '#333c3a',
  '#1f2725',
];
const dark: MantineColorsTuple = [
  '#c6cfcc',
  '#b3bdba',
  '#7f8b87',
  '#64706d',
  '#3d4845',
  '#2f3937',
  '#222a28',
  '#1b2220',
  '#161c1b',
  '#101514',
];

const prevent = (event: MouseEvent): void => event.preventDefault();

/** A button that cannot be used, or works, keeps the focus: browsers take it from one that has `disabled`. A link stays one. */
function button({ disabled = false, onClick, ...props }: ComponentProps<'button'> & { href?: string }): ReactNode {
  return createElement(props.href === undefined ? 'button' : 'a', {
    ...props,
    'aria-disabled': disabled || undefined,
    onClick: disabled ? prevent : onClick,
  });
}

export const theme = createTheme({
  components: {
    Button: { defaultProps: { renderRoot: button } },
    ActionIcon: { defaultProps: { renderRoot: button } },
    // Opened by a key, it begins at its first item, and it belongs to the landmark of its button.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false, withinPortal: false } },
    // With large text, choices that have no room beside each other are below each other.
    SegmentedControl: { styles: { root: { flexWrap: 'wrap' } } },
    Badge: { defaultProps: { variant: 'default', radius: 'sm', tt: 'none' } },
  },
  colors: { brand, gray, dark },
  primaryColor: 'brand',
  primaryShade: { light: 7, dark: 4 },
  autoContrast: true,
  luminanceThreshold: 0.35,
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    if (colors.color !== 'var(--mantine-color-white)') return colors;
    // The component library chooses by the shade of the light theme; those of the dark theme are light.
    return { ...colors, color: 'light-dark(var(--mantine-color-white), var(--mantine-color-black))' };
  },
  defaultRadius: 'md',
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '1.375rem' }, h2: { fontSize: '1rem' }, h3: { fontSize: '0.875rem' } },
  },
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** The component library's own values for these have too little contrast (WCAG 2.2, 1.4.3 and 1.4.11), or are white. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-red-filled': '#c92a2a',
    '--mantine-color-red-filled-hover': '#b02525',
    '--mantine-color-body': '#ffffff',
    '--mantine-color-text': '#16201e',
    '--mantine-color-dimmed': '#55615e',
    '--mantine-color-placeholder': '#66716e',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-red-outline': '#b3261e',
    '--mantine-color-gray-outline': '#55615e',
    '--mantine-color-anchor': brand[8],
    '--mantine-color-orange-outline': '#9a3b00',
    '--mantine-color-yellow-outline': '#7a4d00',
    '--hr-surface': '#f6f8f7',
    '--hr-border': '#dfe5e3',
    '--hr-input-border': gray[6],
    '--hr-hover': '#eff4f2',
    '--hr-track': '#e4eae8',
    '--hr-less': '#b36b00',
  },
  dark: {
    '--mantine-color-body': '#121716',
    '--mantine-color-text': '#e3e9e7',
    '--mantine-color-dimmed': '#9aa8a4',
    '--mantine-color-placeholder': '#8d9a97',
    '--mantine-color-error': '#ff9d94',
    // From the shade of the accent, the component library makes all of these nearly white.
    '--mantine-color-red-outline': '#ff9d94',
    '--mantine-color-orange-outline': '#ffa94d',
    '--mantine-color-yellow-outline': '#ffd43b',
    '--mantine-color-gray-outline': '#9aa8a4',
    '--mantine-color-brand-outline': brand[4],
    '--mantine-color-anchor': brand[3],
    '--hr-surface': '#191f1e',
    '--hr-border': '#2c3533',
    '--hr-input-border': dark[3],
    '--hr-hover': '#202827',
    '--hr-track': '#2b3432',
    '--hr-less': '#d99a4a',
  },
});
