import type { Invoice as InvoiceRow } from '../../resources/account/invoices.ts';
import { perCloud, type Stored } from '../engine/cloud.ts';
import { collection } from '../engine/handler.ts';
import { randomFrom } from '../engine/random.ts';
import { timestamp } from '../engine/time.ts';

/** An invoice (document 1, 2.6), in US dollars. */
type Invoice = Stored<InvoiceRow>;

const months = 42;
const taxes = [
  { name: 'PA STATE TAX', rate: 0.06 },
  { name: 'PHILADELPHIA CITY TAX', rate: 0.02 },
];

const cents = (amount: number) => Math.round(amount * 100) / 100;

/** The invoice made at the beginning of a month; the fleet has grown, and some months had a burst of work. */
function invoiceAt(seed: number, date: Date, age: number): Invoice {
  const random = randomFrom(seed, age, 72);
  const burst = random.chance(0.12) ? random.integer(180, 620) : 0;
  const subtotal = cents(2900 * 0.963 ** age + random.next() * 140 + burst);
  const tax_summary = taxes.map(({ name, rate }) => ({ name, tax: cents(subtotal * rate) }));
  const tax = cents(tax_summary.reduce((sum, one) => sum + one.tax, 0));
  const id = 27_400_113 - age * 8171;
  return {
    date: timestamp(date.getTime()),
    id,
    label: `Invoice #${id}`,
    subtotal,
    tax,
    tax_summary,
    total: cents(subtotal + tax),
  };
}

/** The invoices, the newest first. */
const invoicesOf = perCloud(({ options: { seed, time } }) => {
  const now = new Date(time);
  return Array.from({ length: months }, (_, age) =>
    invoiceAt(seed, new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - age, 1, 5, 14, 7)), age),
  ).filter(({ date }) => date <= timestamp(time));
});

/** Invoices (document 1, 4.1). */
export const invoices = collection<Invoice>('invoices', { rows: invoicesOf }).handlers();
