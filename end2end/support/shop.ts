/**
 * A small shop's two records of the same days: what it meant to happen (payments CSV) and what
 * Stripe says happened (an itemized payout reconciliation). Worked out by hand:
 *
 * | payment | the shop says          | Stripe says             | so                    |
 * |---------|------------------------|-------------------------|-----------------------|
 * | 1001    | 100.00, pi_1001        | 100.00, fee 3.20        | matched               |
 * | 1002    | 49.90, pi_1002         | 49.90, fee 1.75         | matched               |
 * | 1003    | 25.00, no provider id  | 25.00 for its reference | matched               |
 * | 1004    | 80.00, pi_1004         | 79.00, fee 2.60         | amount_mismatch       |
 * |         | nothing                | 15.00 for pi_9999       | unexpected_settlement |
 * | 1006    | 30.00, rejected        | 30.00, fee 1.10         | settled_after_failure |
 * | 1002    |                        | dispute -49.90, fee 15  | chargeback            |
 *
 * The payout takes out what the rows above bring in, so the batch ties to zero.
 */
const day = 24 * 3600 * 1000;

function at(daysAgo: number): Date {
  const date = new Date(Date.now() - daysAgo * day);
  date.setUTCHours(10, 0, 0, 0);
  return date;
}

const rfc3339 = (date: Date) => date.toISOString().replace('.000Z', 'Z');
const stripeTime = (date: Date) => date.toISOString().slice(0, 19).replace('T', ' ');

export type NamedFile = { name: string; mimeType: string; buffer: Buffer };

function csv(name: string, lines: string[]): NamedFile {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n') + '\n') };
}

/** What the shop meant to happen. */
export function payments(provider = 'stripe-eu'): NamedFile {
  const created = rfc3339(at(4));
  const row = (no: number, amount: string, providerId: string, outcome: string, error = '') =>
    [
      `int-${no}`, `order-${no}`, 'charge', amount, 'EUR', 'in', `customer ${no}`, created, 'at_most_once',
      `att-${no}`, '1', provider, `int-${no}`, providerId, created, created, outcome, error,
    ].join(',');
  return csv('payments.csv', [
    'intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,' +
      'attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code',
    row(1001, '100.00', 'pi_1001', 'succeeded'),
    row(1002, '49.90', 'pi_1002', 'succeeded'),
    row(1003, '25.00', '', 'succeeded'),
    row(1004, '80.00', 'pi_1004', 'succeeded'),
    row(1006, '30.00', 'pi_1006', 'rejected', 'card_declined'),
  ]);
}

/** What Stripe says happened. */
export function settlement(): NamedFile {
  const created = stripeTime(at(4));
  const available = stripeTime(at(2));
  const row = (no: number, gross: string, fee: string, net: string, category: string, reference: string, payment: string) =>
    [`txn_${no}`, created, available, 'eur', gross, fee, net, category, category, payment, 'po_77', reference].join(',');
  return csv('stripe-payout-po_77.csv', [
    'balance_transaction_id,created_utc,available_on_utc,currency,gross,fee,net,reporting_category,description,' +
      'payment_intent_id,automatic_payout_id,payment_metadata[order_id]',
    row(1, '100.00', '3.20', '96.80', 'charge', 'order-1001', 'pi_1001'),
    row(2, '49.90', '1.75', '48.15', 'charge', 'order-1002', 'pi_1002'),
    row(3, '25.00', '1.00', '24.00', 'charge', 'order-1003', 'pi_1003'),
    row(4, '79.00', '2.60', '76.40', 'charge', 'order-1004', 'pi_1004'),
    row(5, '15.00', '0.70', '14.30', 'charge', '', 'pi_9999'),
    row(6, '30.00', '1.10', '28.90', 'charge', 'order-1006', 'pi_1006'),
    row(7, '-49.90', '15.00', '-64.90', 'dispute', 'order-1002', 'pi_1002'),
    row(8, '-223.65', '0.00', '-223.65', 'payout', '', ''),
  ]);
}
