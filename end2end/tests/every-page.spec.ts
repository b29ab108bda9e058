import type { Page } from '@playwright/test';
import { admin, approver, auditor, peopleOf, signIn, signOut, visit } from '../support/people.js';
import { expect, test } from '../support/test.js';

/** The first link of the page's main part that leads to such a path. */
async function link(page: Page, to: RegExp): Promise<string> {
  const paths = await page.locator('main a[href]').evaluateAll((links) => links.map((it) => it.getAttribute('href') ?? ''));
  const path = paths.find((it) => to.test(it));
  expect(path, `a link to ${to} on ${page.url()}`).toBeTruthy();
  return path ?? '';
}

/** What is between the margins of A4, in CSS pixels. */
const PAPER = 688;

/** On paper a page is as wide as the paper, and nothing stands on it that can only be pressed or filled in. */
async function prints(page: Page): Promise<void> {
  const window = page.viewportSize();
  await page.emulateMedia({ media: 'print' });
  await page.setViewportSize({ width: PAPER, height: 900 });
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width, `${page.url()} on paper`).toBeLessThanOrEqual(PAPER);
  const controls = page.locator('.bar, button, input, select, textarea').filter({ visible: true });
  await expect(controls, `${page.url()} on paper`).toHaveCount(0);
  await page.emulateMedia({ media: 'screen' });
  if (window) await page.setViewportSize(window);
}

test('every page of a shop at work can be read, fits the window, prints, and axe finds nothing', async ({ page, tieout, accessible }) => {
  test.setTimeout(600_000);
  await tieout.stop();
  await tieout.did(['demo']);
  await peopleOf(tieout);
  await tieout.serve();

  const look = async (path: string) => {
    await visit(page, path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
    await accessible(page);
    await prints(page);
  };
  /** Looks at the page behind the first such link of this one. */
  const follow = async (to: RegExp) => look(await link(page, to));

  await signIn(page, approver);
  await look('/');
  await look('/review');
  await follow(/^\/review\/C-/);
  await look('/review?view=to_approve');
  await look('/review?view=resolved');
  await look('/review/sent');
  await look('/files');
  await follow(/^\/files\/[^/?]+$/);
  await follow(/^\/files\/[^/?]+\/lines/);
  await follow(/^\/lines\//);
  await look('/payments');
  await follow(/^\/payments\/[^/?]+$/);
  await look('/ledger');
  await follow(/^\/ledger\/accounts\//);
  await look('/ledger/entries');
  await follow(/^\/ledger\/entries\/\d+$/);
  await signOut(page);

  await signIn(page, auditor);
  await look('/audit');
  await visit(page, '/');
  await signOut(page);

  await signIn(page, admin);
  await look('/settings/providers');
  await look('/settings/users');
  await look('/settings/tokens');
  await look('/settings/password');
});
