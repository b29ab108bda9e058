import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { admin, approver, auditor, peopleOf, signIn, signOut } from '../support/people.js';
import { ready, test } from '../support/test.js';

const folder = process.env.SCREENSHOTS ?? join(tmpdir(), 'tieout-screens');
mkdirSync(folder, { recursive: true });

// Pictures are taken of what is there, whatever it says.
test.use({ allowedConsole: [/./] });

test('every page of a demo instance', async ({ page, tieout }, info) => {
  const take = async (name: string) => {
    await ready(page);
    await page.screenshot({ path: join(folder, `${name}-${info.project.name}.png`), fullPage: true });
  };
  const go = async (name: string, path: string) => {
    await page.goto(path);
    await take(name);
  };
  /** The page behind the first link of the main part that leads there. */
  const follow = async (name: string, from: string, to: RegExp) => {
    await page.goto(from);
    const path = await firstLink(page, to);
    if (path) await go(name, path);
    else console.log(`no link from ${from} to ${to}`);
  };

  await tieout.stop();
  const demo = await tieout.cli(['demo']);
  if (demo.code !== 0) console.log(demo.stderr);
  await peopleOf(tieout);
  await tieout.serve();

  await go('sign-in', '/sign-in');
  await signIn(page, approver);
  await go('overview', '/');
  await go('review', '/review');
  await follow('case', '/review', /^\/review\/C-/);
  await go('review-to-approve', '/review?view=to_approve');
  await go('review-sent', '/review/sent');
  await go('files', '/files');
  await follow('file', '/files', /^\/files\/[^/?]+$/);
  await follow('file-lines', firstPath(page), /\/lines$/);
  await follow('line', firstPath(page), /^\/lines\//);
  await go('payments', '/payments');
  await follow('payment', '/payments', /^\/payments\/[^/?]+$/);
  await go('ledger', '/ledger');
  await follow('account', '/ledger', /^\/ledger\/accounts\//);
  await go('entries', '/ledger/entries');
  await follow('entry', '/ledger/entries', /^\/ledger\/entries\/\d+$/);
  await go('providers-read', '/settings/providers');
  await go('password', '/settings/password');
  await go('not-found', '/no/such/page');
  await page.goto('/');
  await signOut(page);

  await signIn(page, auditor);
  await go('audit', '/audit');
  await signOut(page);

  await signIn(page, admin);
  await go('providers', '/settings/providers');
  await go('users', '/settings/users');
  await go('tokens', '/settings/tokens');
  console.log(`pictures in ${folder}`);
});

function firstPath(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

async function firstLink(page: Page, to: RegExp): Promise<string | undefined> {
  const paths = await page.locator('main a[href]').evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  return paths.find((path) => to.test(path));
}
