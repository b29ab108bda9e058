import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { analyst, approver, auditor, press, said, setUp, signIn, signOut, visit } from '../support/people.js';
import { payments, settlement } from '../support/shop.js';
import { expect, ready, test } from '../support/test.js';

/** Opens the only case of a kind from the queue. */
async function open(page: Page, kind: string): Promise<void> {
  await visit(page, '/review');
  await page.getByRole('region', { name: 'Review queue' }).getByRole('link', { name: kind }).click();
  await ready(page);
}

/** Decides the open case and gives the reason by its code. */
async function decide(page: Page, action: string, reason: string, comment: string, more?: (form: ReturnType<Page['locator']>) => Promise<void>) {
  const choice = page.locator('details.choice').filter({ has: page.locator('.choice-title', { hasText: action }) });
  if ((await choice.getAttribute('open')) === null) await choice.locator('summary').click();
  await choice.getByLabel('Reason').selectOption(reason);
  await choice.getByLabel('Comment').fill(comment);
  await more?.(choice);
  await choice.getByRole('button').click();
  await expect(said(page)).toBeVisible();
  await ready(page);
}

/** One row of the trial balance: debit, credit. */
async function balance(page: Page, account: string): Promise<string> {
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: account, exact: true }) });
  return (await row.getByRole('cell').nth(2).innerText()).replace(/\s+/g, ' ').trim();
}

test('from the printed link to a verified audit bundle', async ({ page, tieout, accessible, javaScriptEnabled }) => {
  test.setTimeout(180_000);

  await test.step('set up, with an account at Stripe and an auditor', async () => {
    await setUp(page, await tieout.setupLink(), auditor);
    await visit(page, '/settings/providers');
    await page.getByLabel('Name').fill('stripe-eu');
    await page.getByLabel('Kind').selectOption('stripe');
    await page.getByLabel('Time zone').fill('UTC');
    await press(page, 'Add account');
    await signOut(page);
  });

  await test.step('the analyst imports what the shop meant to happen', async () => {
    await signIn(page, analyst);
    await visit(page, '/payments');
    await page.getByLabel('Payments CSV').setInputFiles(payments());
    await press(page, 'Import');
    await expect(said(page)).toContainText('5 new intents, 5 new attempts');
    await expect(page.getByRole('link', { name: 'order-1004' })).toBeVisible();
    await accessible(page);
  });

  await test.step('and uploads what Stripe says happened', async () => {
    await visit(page, '/files');
    await page.getByLabel('Choose settlement files').setInputFiles(settlement());
    await page.getByLabel('For account').selectOption('stripe-eu');
    await press(page, 'Upload');
    const row = page.getByRole('row').filter({ hasText: settlement().name });
    if (javaScriptEnabled === false) {
      await expect(async () => {
        await visit(page, '/files');
        await expect(row.locator('[data-state]')).toHaveText('used', { timeout: 500 });
      }).toPass();
    } else {
      // The page tells by itself how sending, reading and matching go.
      const sent = page.getByRole('listitem').filter({ hasText: settlement().name });
      await expect(sent).toContainText('8 rows, 5 matched');
      await expect(sent.getByRole('link', { name: 'Open' })).toBeVisible();
      // So does the list below.
      await expect(row.locator('[data-state]')).toHaveText('used');
    }
    await accessible(page);

    await visit(page, '/files');
    await expect(row.locator('[data-state]')).toHaveText('used');
    await row.getByRole('link', { name: settlement().name, exact: true }).click();
    await ready(page);
    await accessible(page);
  });

  await test.step('five rows matched, four cases are open', async () => {
    await visit(page, '/review');
    for (const kind of ['Amount differs', 'Money nobody expected', 'Failed, yet money came', 'Dispute']) {
      await expect(page.getByRole('region', { name: 'Review queue' }).getByRole('link', { name: kind })).toHaveCount(1);
    }
    await accessible(page);
  });

  await test.step('the analyst decides three cases of different kinds', async () => {
    await open(page, 'Money nobody expected');
    await accessible(page);
    await decide(page, 'Record as external', 'other_system', 'till sale, kept in the till', async (form) => {
      const reference = form.locator('[name=reference]');
      if (await reference.count()) await reference.fill('till-77');
    });

    await open(page, 'Dispute');
    await accessible(page);
    await decide(page, 'Accept as it is', 'dispute_lost', 'customer was right');

    await open(page, 'Amount differs');
    await accessible(page);
    await decide(page, 'Write off', 'small_difference', 'one euro short');
    await open(page, 'Amount differs');
    await expect(page.getByRole('heading', { name: 'Write off · awaiting approval' })).toBeVisible();
    await expect(page.getByText('You cannot approve this')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Approve' })).toHaveCount(0);
    await signOut(page);
  });

  await test.step('the approver agrees to the one that needs two', async () => {
    await signIn(page, approver);
    await open(page, 'Amount differs');
    await accessible(page);
    await press(page, /^Approve/);
    await expect(said(page)).toBeVisible();
    await visit(page, '/review?view=resolved');
    await expect(page.getByRole('region', { name: 'Review queue' }).getByRole('link', { name: 'Amount differs' })).toHaveCount(1);
  });

  await test.step('the trial balance is what it must be', async () => {
    await visit(page, '/ledger');
    await accessible(page);
    await expect(page.getByText('balances', { exact: true })).toBeVisible();
    // The payout took out all that came in; one euro of order-1004 is written off.
    expect(await balance(page, 'Provider fees')).toContain('25.35');
    expect(await balance(page, 'Payouts in transit')).toContain('223.65');
    expect(await balance(page, 'Chargebacks')).toContain('49.90');
    expect(await balance(page, 'Write-offs')).toContain('1.00');
    expect(await balance(page, 'Provider clearing')).toContain('0.00');
    await signOut(page);
  });

  await test.step('the auditor downloads a bundle that verifies, and does not once a byte is changed', async () => {
    await signIn(page, auditor);
    await visit(page, '/audit');
    await accessible(page);
    await press(page, 'Verify now');
    await expect(page.getByText('Verified: everything holds.')).toBeVisible();
    await accessible(page);

    await visit(page, '/audit');
    const downloading = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download bundle' }).click();
    const download = await downloading;
    const bundle = join(tieout.folder, 'audit.zip');
    await download.saveAs(bundle);

    const whole = await tieout.cli(['verify', bundle]);
    expect(whole.stdout + whole.stderr).toMatch(/verified/i);
    expect(whole.code).toBe(0);

    const bytes = await readFile(bundle);
    const at = bytes.indexOf('write_off', bytes.indexOf('decision.jsonl'));
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 0x20, at);
    await writeFile(bundle, bytes);
    const changed = await tieout.cli(['verify', bundle]);
    expect(changed.code).toBe(1);
    expect(changed.stdout + changed.stderr).toMatch(/decision/);
  });
});
