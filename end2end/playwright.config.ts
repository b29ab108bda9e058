import { defineConfig } from '@playwright/test';
import { launchOptions } from './support/chromium.js';

const desktop = { viewport: { width: 1440, height: 900 } };
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
/** What needs scripts and a keyboard. */
const keyboard = /-keys\.spec\.ts$/;

export default defineConfig({
  testDir: 'tests',
  fullyParallel: true,
  forbidOnly: process.env.CI === 'true',
  retries: 0,
  workers: 2,
  // A busy machine is slow, not wrong.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [['list', { printSteps: false }]],
  use: {
    browserName: 'chromium',
    actionTimeout: 20_000,
    navigationTimeout: 30_000,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    launchOptions,
  },
  projects: [
    { name: 'desktop-light', use: { ...desktop, colorScheme: 'light' } },
    { name: 'desktop-dark', use: { ...desktop, colorScheme: 'dark' } },
    { name: 'phone', testIgnore: keyboard, use: { ...phone, colorScheme: 'light' } },
    { name: 'no-javascript', testIgnore: keyboard, use: { ...desktop, colorScheme: 'light', javaScriptEnabled: false } },
  ],
});
