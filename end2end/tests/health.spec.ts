import { expect, test } from '../support/test.js';

test('the server answers that it is healthy', async ({ request, tieout }) => {
  const answer = await request.get(`${tieout.url}/healthz`);
  expect(answer.status()).toBe(200);
});
