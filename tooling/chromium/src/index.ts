export { launchChromium } from './launch-chromium.ts';
export type { Browser } from 'playwright-core';
