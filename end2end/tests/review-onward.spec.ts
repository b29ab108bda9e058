import type { Locator, Page } from '@playwright/test';
import { analyst, approver, peopleOf, press, said, signIn, signOut, visit } from '../support/people.js';
import { payments, settlement } from '../support/shop.js';
import { expect, ready, test } from '../support/test.js';

const queueOf = (page: Page): Locator => page.getByRole('region', { name: 'Review queue' });

/** The rows that keep their place; on a narrow window they are behind the open case. */
const held = (page: Page): Locator => page.locator('.queue tr.held');

/** Opens a case by its kind. */
async function open(page: Page, kind: string): Promise<void> {
  await visit(page, '/review');
  await queueOf(page).getByRole('link', { name: kind }).click();
  await ready(page);
}

/** One decision of the open case, laid open. */
async function choice(page: Page, action: string): Promise<Locator> {
  const found = page.locator('details.choice').filter({ has: page.locator('.choice-title', { hasText: action }) });
  if ((await found.getAttribute('open')) === null) await found.locator('summary').click();
  return found;
}

/** Writes the missing part of the open case off. */
async function writeOff(page: Page): Promise<void> {
  const form = await choice(page, 'Write off');
  await form.getByLabel('Reason').selectOption('small_difference');
  await press(form, 'Send for approval');
}

/** The kinds in the queue, from top to bottom. */
const kinds = (page: Page): Promise<string[]> => page.locator('.queue .row-link').allTextContents();

test.describe('after a decision', () => {
  test.beforeEach(async ({ page, tieout }) => {
    await peopleOf(tieout);
    await tieout.did(['provider', 'add', 'stripe-eu', '--kind', 'stripe']);
    await tieout.did(['import', 'payments', await tieout.keep(payments())]);
    await tieout.did(['import', 'settlement', await tieout.keep(settlement()), '--provider', 'stripe-eu']);
    await signIn(page, analyst);
  });

  test('the row stays with its result, the next case opens by itself, and the decision is taken back', async ({ page, accessible }) => {
    await open(page, 'Amount differs');
    const before = await kinds(page);
    const decided = new URL(page.url()).pathname;
    const accept = await choice(page, 'Accept as it is');
    // What it posts is there before anybody decides: 79.00 leave suspense.
    await expect(accept.getByRole('row', { name: /Suspense/ })).toContainText('79.00');
    await expect(accept.getByRole('row', { name: /Receipts/ })).toContainText('79.00');
    await accept.getByLabel('Reason').selectOption('small_difference');
    await press(accept, 'Accept as it is');

    await expect(said(page)).toContainText('decided.');
    expect(new URL(page.url()).pathname).not.toBe(decided);
    expect(await kinds(page)).toEqual(before);
    await expect(held(page)).toContainText('resolved: accept as it is');
    await accessible(page);

    await said(page).getByRole('link', { name: 'Undo' }).click();
    await ready(page);
    expect(new URL(page.url()).pathname).toBe(decided);
    const undo = page.locator('#undo');
    await expect(undo).toBeVisible();
    await expect(undo.getByRole('row', { name: /Suspense/ })).toContainText('79.00');
    await undo.getByLabel('Reason').selectOption('mistake');
    await press(undo, 'Reverse with a new entry');
    await expect(said(page)).toContainText('decided.');
    // Open again, and so the person stays with it.
    expect(new URL(page.url()).pathname).toBe(decided);
    await expect(page.locator('.case-head')).toContainText('Open');
    await accessible(page);
  });

  test('what waits for a second person is taken back by its decider, and answered by an approver', async ({ page, accessible }) => {
    await open(page, 'Amount differs');
    const decided = new URL(page.url()).pathname;
    await writeOff(page);
    await expect(said(page)).toContainText('sent for approval');
    await said(page).getByRole('link', { name: 'Undo' }).click();
    await ready(page);
    await press(page, /^Withdraw my decision/);
    await expect(said(page)).toContainText('taken back');
    expect(new URL(page.url()).pathname).toBe(decided);

    await writeOff(page);
    await visit(page, '/review');
    await queueOf(page).getByRole('link', { name: 'Sent for approval' }).click();
    await ready(page);
    await expect(page.getByRole('row', { name: /Amount differs/ }).first()).toContainText('waits');
    await expect(page.getByRole('row', { name: /Amount differs/ }).last()).toContainText('withdrawn');
    await accessible(page);
    await signOut(page);
    await signIn(page, approver);
    await visit(page, '/review?view=to_approve');
    await queueOf(page).getByRole('link', { name: 'Amount differs' }).click();
    await ready(page);
    // 80.00 were expected, 79.00 came.
    const awaiting = page.locator('.awaiting');
    await expect(awaiting.getByRole('row', { name: /Write-offs/ })).toContainText('1.00');
    await expect(awaiting.getByRole('row', { name: /Receipts/ })).toContainText('80.00');
    await expect(page.getByRole('heading', { name: 'Decision' }), 'no empty card beside the answer').toHaveCount(0);
    await accessible(page);
    await press(page, /^Approve/);
    await expect(held(page)).toContainText('resolved: write off');
  });

  test('what a choice would post is told before it is made', async ({ page }) => {
    await open(page, 'Money nobody expected');
    const correct = await choice(page, 'Post to another account');
    await correct.getByLabel('To which account?').selectOption('adjustments');
    await press(correct, 'Show what it posts');
    const shown = page.locator('details.choice[open]');
    await expect(shown.getByRole('row', { name: /Adjustments/ })).toContainText('15.00');
    await expect(shown.getByLabel('To which account?')).toHaveValue('adjustments');
    await expect(page.locator('.case-head'), 'nothing was decided').toContainText('Open');
  });
});
