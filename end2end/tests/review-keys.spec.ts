import { analyst, peopleOf, signIn, visit } from '../support/people.js';
import { payments, settlement } from '../support/shop.js';
import { expect, ready, test } from '../support/test.js';

test.describe('the review queue under the keyboard', () => {
  test.beforeEach(async ({ page, tieout }) => {
    await peopleOf(tieout);
    await tieout.did(['provider', 'add', 'stripe-eu', '--kind', 'stripe']);
    await tieout.did(['import', 'payments', await tieout.keep(payments())]);
    await tieout.did(['import', 'settlement', await tieout.keep(settlement()), '--provider', 'stripe-eu']);
    await signIn(page, analyst);
  });

  test('j and k walk through the cases, Enter opens, and the row stays where it is', async ({ page }) => {
    await visit(page, '/review');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/review\/[^/]+/);
    await ready(page);
    const first = new URL(page.url()).pathname;

    await page.keyboard.press('j');
    await page.waitForURL((url) => url.pathname !== first);
    await ready(page);
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.pathname === first);
  });

  test('a key opens its decision and typing in a field is not a command', async ({ page }) => {
    await visit(page, '/review');
    await page.getByRole('region', { name: 'Review queue' }).getByRole('link', { name: 'Amount differs' }).click();
    await ready(page);
    await page.keyboard.press('w');
    const choice = page.locator('details.choice').filter({ hasText: 'Write off' });
    await expect(choice).toHaveAttribute('open', '');
    const comment = choice.getByLabel('Comment');
    await comment.focus();
    await page.keyboard.type('jkws?');
    await expect(comment).toHaveValue('jkws?');
  });

  test('x ticks the open case, u leads back to the last decision', async ({ page }) => {
    await visit(page, '/review');
    const queue = page.getByRole('region', { name: 'Review queue' });
    await queue.getByRole('link', { name: 'Amount differs' }).click();
    await ready(page);
    const tick = queue.locator('tr.selected').getByRole('checkbox');
    await page.keyboard.press('x');
    await expect(tick).toBeChecked();
    await page.keyboard.press('x');
    await expect(tick).not.toBeChecked();

    const decided = new URL(page.url()).pathname;
    // Why is chosen by its first letter; Enter goes on to the button, and there decides.
    await page.keyboard.press('c');
    await expect(page.locator('details.choice[open]').getByLabel('Reason')).toBeFocused();
    await page.keyboard.type('Sm');
    await page.keyboard.press('Enter');
    await expect(page.locator('details.choice[open]').getByRole('button')).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.locator('[data-flash]')).toContainText('decided.');
    await ready(page);
    expect(new URL(page.url()).pathname).not.toBe(decided);
    await page.keyboard.press('u');
    await page.waitForURL((url) => url.pathname === decided);
    await ready(page);
    await page.keyboard.press('u');
    await expect(page.locator('#undo').getByLabel('Reason')).toBeFocused();
  });

  test('g and a letter goes to a page, ? explains the keys, Ctrl-K finds', async ({ page, accessible }) => {
    await visit(page, '/review');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog')).toBeVisible();
    await accessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await accessible(page);
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();

    // The two belong together for a moment only: on a busy machine that may be over, and one presses again.
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('l');
      await page.waitForURL(/\/ledger$/, { timeout: 5_000 });
    }).toPass();
  });
});
