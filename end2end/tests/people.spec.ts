import { admin, approver, peopleOf, press, said, signIn, signOut, visit } from '../support/people.js';
import { expect, test } from '../support/test.js';

// A refused form is answered with 422, and browsers say so.
test.use({ allowedConsole: [/status of 422/] });

test('a person changes their own password, and the old one opens nothing any more', async ({ page, tieout, accessible }) => {
  await peopleOf(tieout);
  await signIn(page, approver);
  await page.getByLabel(/^Signed in as/).click();
  await page.getByRole('link', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Your password' })).toBeVisible();
  await accessible(page);

  const type = async (current: string, next: string, again: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel('New password', { exact: true }).fill(next);
    await page.getByLabel('New password, again').fill(again);
    await press(page, 'Change password');
  };
  const next = 'a longer and better password';
  await type('not my password', next, next);
  await expect(page.getByText('This is not your current password').first()).toBeVisible();
  await accessible(page);
  await type(approver.password, next, `${next}!`);
  await expect(page.getByText('The two are not the same').first()).toBeVisible();

  await type(approver.password, next, next);
  await expect(said(page)).toContainText('Your password is changed');
  await signOut(page);
  await visit(page, '/sign-in');
  await page.getByLabel('Email address').fill(approver.email);
  await page.getByLabel('Password').fill(approver.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByLabel('Password')).toBeVisible();
  await signIn(page, { ...approver, password: next });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('whoever does not administer reads the settings and finds no form', async ({ page, tieout, accessible }) => {
  await peopleOf(tieout);
  await tieout.did(['provider', 'add', 'stripe-eu', '--kind', 'stripe', '--set', 'books_closed_to=2025-12-31']);
  for (const [person, forms] of [[approver, false], [admin, true]] as const) {
    await signIn(page, person);
    await visit(page, '/settings/providers');
    await page.getByRole('heading', { name: 'stripe-eu' }).click();
    const value = forms ? page.getByLabel('Books closed up to and including') : page.getByText('2025-12-31');
    await expect(value).toBeVisible();
    await expect(page.getByRole('button', { name: 'Save policy' })).toHaveCount(forms ? 1 : 0);
    await accessible(page);
    await visit(page, '/settings/users');
    await page.getByRole('heading', { name: approver.email }).click();
    await expect(page.getByRole('button', { name: 'Add user' })).toHaveCount(forms ? 1 : 0);
    await accessible(page);
    await signOut(page);
  }
});
