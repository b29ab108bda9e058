import { AxeBuilder } from '@axe-core/playwright';
import { test as base, type BrowserContext, expect, type Page } from '@playwright/test';
import { Tieout } from './tieout.js';

type Fixtures = {
  /** A server of the test's own, with nothing in it. */
  tieout: Tieout;
  /** What the browser console may say in this test; anything else fails it. */
  allowedConsole: RegExp[];
  /** Nothing sticks out sideways and axe finds nothing. Without scripts only the former: axe is one. */
  accessible: (page: Page) => Promise<void>;
};

/** Contexts that run no scripts: nothing ever becomes ready there, and nothing has to. */
const withoutScripts = new WeakSet<BrowserContext>();

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

  context: async ({ context, allowedConsole, javaScriptEnabled }, use) => {
    if (javaScriptEnabled === false) withoutScripts.add(context);
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
      await ready(page);
      const [content, window] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
      expect(content, `${page.url()} is wider than the window: ${await wide(page)}`).toBeLessThanOrEqual(window ?? 0);
      if (javaScriptEnabled === false) return;
      const { violations } = await new AxeBuilder({ page }).analyze();
      const findings = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map((node) => node.html).join(' | ')}`);
      expect(findings, `axe on ${page.url()}`).toEqual([]);
    });
  },
});

export { expect };

/** Waits until every island of the page answers. */
export async function ready(page: Page): Promise<void> {
  if (withoutScripts.has(page.context())) return;
  if ((await page.locator('leptos-island').count()) > 0) {
    await page.locator('html[data-ready]').waitFor({ state: 'attached' });
  }
}

/** The first elements that stick out of the window, for the message. */
function wide(page: Page): Promise<string> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((it) => it.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
      .slice(0, 3)
      .map((it) => `${it.tagName.toLowerCase()}.${it.className}`)
      .join(', '),
  );
}
