import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { Tieout } from './tieout.js';

type Fixtures = {
  /** A server of the test's own, with nothing in it. */
  tieout: Tieout;
  /** What the browser console may say in this test; anything else fails it. */
  allowedConsole: RegExp[];
  /** Waits for the islands, asks axe, and fails on any finding. Without scripts it does nothing: axe is one. */
  accessible: (page: Page) => Promise<void>;
};

export const test = base.extend<Fixtures>({
  allowedConsole: [[], { option: true }],

  tieout: async ({}, use, info) => {
    const tieout = await Tieout.prepare();
    try {
      await tieout.serve();
      await use(tieout);
    } finally {
      if (info.status !== info.expectedStatus) {
        await info.attach('server log', { body: tieout.log, contentType: 'text/plain' });
      }
      await tieout.remove();
    }
  },

  baseURL: async ({ tieout }, use) => {
    await use(tieout.url);
  },

  context: async ({ context, allowedConsole }, use) => {
    const said: string[] = [];
    const note = (text: string) => {
      if (!allowedConsole.some((pattern) => pattern.test(text))) said.push(text);
    };
    context.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') {
        note(`${message.type()}: ${message.text()} (${message.location().url})`);
      }
    });
    context.on('weberror', (error) => note(`uncaught: ${error.error().message}`));
    await use(context);
    expect(said, 'the browser console stays silent').toEqual([]);
  },

  accessible: async ({ javaScriptEnabled }, use) => {
    await use(async (page) => {
      if (javaScriptEnabled === false) return;
      await ready(page);
      const { violations } = await new AxeBuilder({ page }).analyze();
      const findings = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
      expect(findings, `axe on ${page.url()}`).toEqual([]);
    });
  },
});

export { expect };

/** Waits until every island of the page answers. */
export async function ready(page: Page): Promise<void> {
  if ((await page.locator('leptos-island').count()) > 0) {
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  }
}
