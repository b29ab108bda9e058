import { admin, analyst, auditor, press, said, setUp, signIn, signOut, visit } from '../support/people.js';
import { expect, test } from '../support/test.js';

test('a new company sets itself up from the printed link, once', async ({ page, tieout, accessible }) => {
  const link = await tieout.setupLink();

  await visit(page, link);
  await accessible(page);
  await setUp(page, link);
  await expect(said(page)).toContainText('add a provider account');
  await accessible(page);
  await visit(page, '/');
  await accessible(page);

  const again = await page.request.get(link);
  expect(again.status(), 'the link has done its work').not.toBe(200);

  await visit(page, '/settings/providers');
  await page.getByLabel('Name').fill('stripe-eu');
  await page.getByLabel('Kind').selectOption('stripe');
  await page.getByLabel('Time zone').fill('Europe/Berlin');
  await press(page, 'Add account');
  await expect(said(page)).toBeVisible();
  await expect(page.getByRole('heading', { name: 'stripe-eu' })).toBeVisible();
  await accessible(page);

  await visit(page, '/settings/users');
  await page.getByLabel('Email address').fill(auditor.email);
  await page.getByLabel('First password').fill(auditor.password);
  await page.getByRole('group', { name: 'Roles' }).last().getByLabel(/^auditor/).check();
  await press(page, 'Add user');
  await expect(page.getByRole('heading', { name: auditor.email })).toBeVisible();
  await accessible(page);

  await signOut(page);
  await accessible(page);
  await signIn(page, auditor);
  await expect(page.getByLabel(`Signed in as ${auditor.email}`)).toBeVisible();
});

test('a wrong password does not say which of the two was wrong', async ({ page, tieout }) => {
  await setUp(page, await tieout.setupLink());
  await signOut(page);

  const problems: (string | null)[] = [];
  for (const [email, password] of [[admin.email, 'not the password'], ['nobody@shop.example', 'not the password']] as const) {
    await visit(page, '/sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    problems.push(await page.getByRole('alert').textContent());
    await expect(page.getByLabel('Email address')).toHaveValue(email);
  }
  expect(problems[0]).toBeTruthy();
  expect(problems[1]).toBe(problems[0]);
});

test('an analyst meets a closed door at the settings, with a way back', async ({ page, tieout, accessible }) => {
  await setUp(page, await tieout.setupLink());
  await signOut(page);
  await signIn(page, analyst);

  await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Settings')).toHaveCount(0);
  const answer = await page.goto('/settings/tokens');
  expect(answer?.status()).toBe(403);
  await accessible(page);
  await expect(page.getByRole('main').getByRole('link').first()).toBeVisible();
});
test.use({ allowedConsole: [/the server responded with a status of (401|403|422)/] });
