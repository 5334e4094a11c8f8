import { expect, test } from 'vitest';
import { type Invoice, invoice } from './accountNouns.ts';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';

const invoices = '/v4/account/invoices';

const anInvoice = async (cloud: Cloud) => ({ invoiceId: (await cloud.all<Invoice>(invoices))[2]?.id ?? 0 });

describeArea(
  'invoices (document 1, 4.1)',
  {
    'GET /v4/account/invoices': { answers: invoice },
    'GET /v4/account/invoices/{invoiceId}': { answers: invoice, params: anInvoice },
  },
  (cloud) => {
    test('there is one a month, of the past only', async () => {
      const all = await cloud().all<Invoice>(invoices);
      const months = all.map(({ date }) => date.slice(0, 7));
      expect(months.length).toBeGreaterThan(12);
      expect(new Set(months).size).toBe(months.length);
      expect(all.every(({ date }) => Date.parse(`${date}Z`) <= cloud().now)).toBe(true);
    });

    test('each adds up: subtotal and taxes are the total', async () => {
      for (const { subtotal, tax, tax_summary, total } of await cloud().all<Invoice>(invoices)) {
        expect(subtotal + tax).toBeCloseTo(total, 2);
        expect(tax_summary.reduce((sum, one) => sum + one.tax, 0)).toBeCloseTo(tax, 2);
      }
    });

    test('one alone is what the list says of it', async () => {
      const [first] = await cloud().all<Invoice>(invoices);
      expect(await cloud().get<Invoice>(`${invoices}/${first?.id}`)).toEqual(first);
    });
  },
);
