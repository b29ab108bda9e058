import { analyst, peopleOf, press, said, signIn, visit } from '../support/people.js';
import { payments, settlement } from '../support/shop.js';
import { expect, ready, test } from '../support/test.js';

test.describe('several cases with one choice', () => {
  test.beforeEach(async ({ page, tieout }) => {
    await peopleOf(tieout);
    await tieout.did(['provider', 'add', 'stripe-eu', '--kind', 'stripe']);
    await tieout.did(['import', 'payments', await tieout.keep(payments())]);
    await tieout.did(['import', 'settlement', await tieout.keep(settlement()), '--provider', 'stripe-eu']);
    await signIn(page, analyst);
  });

  test('are previewed with count and sums, decided, and each told its result', async ({ page, accessible }) => {
    await visit(page, '/review');
    const queue = page.getByRole('region', { name: 'Review queue' });
    const ticks = queue.getByRole('checkbox');
    await expect(ticks).toHaveCount(4);
    for (const tick of await ticks.all()) await tick.check();
    await accessible(page);
    await queue.getByLabel('With the ticked').selectOption('accept_variance');
    await press(page, 'Preview');

    // The mismatch and the dispute can be accepted; the other two cases ask for something else.
    const main = page.getByRole('main');
    await expect(main).toContainText('2 cases are decided at once. 2 cases cannot be decided this way. Nothing has happened yet.');
    // 1.00 short, 49.90 disputed.
    await expect(main.getByRole('row', { name: /^2 cases/ })).toContainText('50.90');
    await accessible(page);
    await main.getByLabel('Reason').selectOption('other');
    await press(page, /^Accept as it is · 2 cases/);
    await expect(page.getByRole('alert')).toContainText('needs a comment');
    await main.getByLabel('Comment').fill('agreed with the shop');
    await press(page, /^Accept as it is · 2 cases/);
    await expect(main).toContainText('Of 2 cases, 2 decided, 0 not done.');
    await accessible(page);

    await main.getByRole('link', { name: 'Back to the queue' }).click();
    await ready(page);
    // Nothing moved: the decided rows stand where they stood, with what became of them.
    await expect(queue.locator('tbody tr')).toHaveCount(4);
    await expect(queue.getByText('resolved: accept as it is')).toHaveCount(2);
    await expect(queue.getByRole('checkbox')).toHaveCount(2);
    await expect(queue).toContainText('2 cases in this view');
    await accessible(page);
    await visit(page, '/review');
    await expect(queue.locator('tbody tr')).toHaveCount(2);
  });

  test('what moved meanwhile is not decided and stays ticked', async ({ page, tieout }) => {
    await visit(page, '/review');
    const queue = page.getByRole('region', { name: 'Review queue' });
    for (const tick of await queue.getByRole('checkbox').all()) await tick.check();
    await queue.getByLabel('With the ticked').selectOption('escalate');
    await press(page, 'Preview');
    // Evidence comes while the person reads: the payment that nobody knew is registered after all.
    const late = payments();
    const [header, row] = late.buffer.toString().trim().split('\n');
    const registered = row?.replaceAll('1001', '9999').replace('100.00', '15.00') ?? '';
    await tieout.did(['import', 'payments', await tieout.keep({ name: 'late.csv', buffer: Buffer.from(`${header}\n${registered}\n`) })]);
    const main = page.getByRole('main');
    await main.getByLabel('Reason').selectOption('needs_senior');
    await press(page, /^Escalate · 4 cases/);
    await expect(main).toContainText('Of 4 cases, 3 decided, 1 not done.');
    await expect(main.getByRole('checkbox')).toHaveCount(1);
    await expect(main.getByRole('checkbox')).toBeChecked();
    await press(page, 'Look at the ticked again');
    await expect(main).toContainText('1 case cannot be decided this way.');
  });

  test('a view is kept by name with its count, and removed', async ({ page, accessible }) => {
    await visit(page, '/review');
    await expect(page.getByText('Save view')).toHaveCount(0);
    const queue = page.getByRole('region', { name: 'Review queue' });
    await queue.getByLabel('Kind').selectOption('chargeback');
    await queue.getByLabel('Owner').selectOption('nobody');
    await press(page, 'Filter');
    await queue.getByText('Save view').click();
    await queue.getByLabel('Name').fill('Disputes to take');
    await accessible(page);
    await press(page, 'Save');
    await expect(said(page)).toContainText('Disputes to take is saved');
    await visit(page, '/review');
    await queue.getByRole('link', { name: 'Disputes to take 1' }).click();
    await ready(page);
    await expect(queue.locator('tbody tr')).toHaveCount(1);
    await accessible(page);
    await press(page, 'Remove view');
    await expect(queue.getByRole('navigation', { name: 'Saved views' })).toHaveCount(0);
  });
});

test.use({ allowedConsole: [/the server responded with a status of 422/] });
