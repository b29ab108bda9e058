import { expect, type Locator, type Page } from '@playwright/test';
import { ready } from './test.js';

export type Person = { email: string; password: string };

export const admin: Person = { email: 'ada@shop.example', password: 'a first long password' };
export const analyst: Person = { email: 'nils@shop.example', password: 'a second long password' };
export const approver: Person = { email: 'petra@shop.example', password: 'a third long password' };

/** A field of a form by its name, which is part of the contract with the server. */
export const field = (within: Page | Locator, name: string) => within.locator(`[name="${name}"]`);

/** The form that posts to a path. */
export const form = (page: Page, action: string) => page.locator(`form[action="${action}"]`);

/** Sends a form by its button. */
export async function send(of: Locator): Promise<void> {
  await of.locator('button[type=submit], button:not([type])').first().click();
}

/** Opens a page and waits until it can be used. */
export async function visit(page: Page, path: string): Promise<void> {
  const answer = await page.goto(path);
  expect(answer?.status(), path).toBe(200);
  await ready(page);
}

/** The first run: administrator, analyst and approver on one page. */
export async function setUp(page: Page, link: string): Promise<void> {
  await visit(page, link);
  for (const [role, person] of [['admin', admin], ['analyst', analyst], ['approver', approver]] as const) {
    await field(page, `${role}_email`).fill(person.email);
    await field(page, `${role}_password`).fill(person.password);
  }
  await send(page.locator('main form'));
  await page.waitForURL((url) => !url.pathname.startsWith('/setup/'));
}

export async function signIn(page: Page, person: Person): Promise<void> {
  await visit(page, '/sign-in');
  await field(page, 'email').fill(person.email);
  await field(page, 'password').fill(person.password);
  await send(page.locator('main form'));
  await page.waitForURL((url) => url.pathname !== '/sign-in');
  await ready(page);
}
