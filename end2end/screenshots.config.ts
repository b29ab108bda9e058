import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/chromium.js';

const wide = { width: 1440, height: 900 };
const narrow = { width: 390, height: 844 };

/** Not a test: pictures of every page, to look at. */
export default defineConfig({
  testDir: 'screens',
  timeout: 180_000,
  workers: 1,
  reporter: [['list']],
  use: { browserName: 'chromium', locale: 'en-GB', timezoneId: 'Europe/Berlin', reducedMotion: 'reduce', launchOptions },
  projects: [
    { name: 'wide-light', use: { viewport: wide, colorScheme: 'light' } },
    { name: 'wide-dark', use: { viewport: wide, colorScheme: 'dark' } },
    { name: 'narrow-light', use: { viewport: narrow, colorScheme: 'light', hasTouch: true } },
    { name: 'narrow-dark', use: { viewport: narrow, colorScheme: 'dark', hasTouch: true } },
  ],
});
