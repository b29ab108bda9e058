import { expect, type Locator, type Page } from '@playwright/test';
import type { Tieout } from './tieout.js';
import { ready } from './test.js';

export type Person = { email: string; password: string };

export const admin: Person = { email: 'ada@shop.example', password: 'a first long password' };
export const analyst: Person = { email: 'nils@shop.example', password: 'a second long password' };
export const approver: Person = { email: 'petra@shop.example', password: 'a third long password' };
export const auditor: Person = { email: 'olga@shop.example', password: 'a fourth long password' };

/** Opens a page and waits until it can be used. */
export async function visit(page: Page, path: string): Promise<void> {
  const answer = await page.goto(path);
  expect(answer?.status(), path).toBe(200);
  await ready(page);
}

/** What the page says just happened. */
export const said = (page: Page): Locator => page.locator('[data-flash]');

/** Presses a button that leads to another page, and waits until that one can be used. */
export async function press(within: Page | Locator, name: string | RegExp): Promise<void> {
  const button = within.getByRole('button', { name, exact: typeof name === 'string' });
  await button.click();
  await ready('page' in within ? within.page() : within);
}

/** The first run: administrator, analyst, approver and, where one is named, auditor on one page. */
export async function setUp(page: Page, link: string, ...auditors: Person[]): Promise<void> {
  await visit(page, link);
  const first = auditors.map((person) => ['First auditor', person] as const);
  for (const [group, person] of [['Administrator', admin], ['First analyst', analyst], ['First approver', approver], ...first] as const) {
    const fields = page.getByRole('group', { name: group });
    await fields.getByLabel('Email address').fill(person.email);
    await fields.getByLabel('Password').fill(person.password);
  }
  await page.getByRole('button', { name: 'Create and sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/setup/'));
  await ready(page);
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await visit(page, '/sign-in');
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password').fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await ready(page);
}

export async function signOut(page: Page): Promise<void> {
  await page.getByLabel(/^Signed in as/).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname === '/sign-in');
}

/** The same people made at the command line, for tests that are not about the first run. */
export async function peopleOf(tieout: Tieout): Promise<void> {
  for (const [person, role] of [[admin, 'admin'], [analyst, 'analyst'], [approver, 'approver'], [auditor, 'auditor']] as const) {
    await tieout.did(['user', 'add', person.email, '--role', role, '--password-stdin'], `${person.password}\n`);
  }
}
