import type { Account as AccountRow, Promotion as PromotionRow } from '../../resources/account/account.ts';
import type { Invoice as InvoiceRow } from '../../resources/account/invoices.ts';
import type { Row } from '../../resources/resource.ts';
import { serverType } from '../compute/servers.seed.ts';
import { type Cloud, perCloud, type Stored } from '../engine/cloud.ts';
import { badRequest, type FieldError, HttpError, invalid } from '../engine/errors.ts';
import type { Entity } from '../engine/eventLog.ts';
import { type Call, collection, handlersFor, logEvent, needUnrestricted } from '../engine/handler.ts';
import { randomFrom, uuidFrom } from '../engine/random.ts';
import { day, hour, timestamp } from '../engine/time.ts';
import { balanceOf, serversOf } from '../inventory.ts';

/** The account without what follows from other things (document 1, 2.2). */
export type Account = Omit<Stored<AccountRow>, 'balance' | 'balance_uninvoiced'> & {
  active_promotions: readonly (Stored<PromotionRow> & { image_url: string })[];
  credit_card: { expiry: string; last_four: number };
  isCancelled: boolean;
};

/** The fields that an update may hold. */
const writable: ReadonlySet<string> = new Set(
  'address_1 address_2 city company country email first_name last_name phone state tax_id zip'.split(' '),
);

/** The end of a card as it is answered, `MM/YYYY`. */
const expiryOf = (month: unknown, year: unknown) => `${String(month).padStart(2, '0')}/${year}`;

/** A card that was good until last month. */
function lapsed(time: number): string {
  const now = new Date(time);
  const date = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return expiryOf(date.getUTCMonth() + 1, date.getUTCFullYear());
}

/** The account. Its credit card has just expired at first. */
const accountOf = perCloud(
  ({ options: { seed, time } }): Account => ({
    active_promotions: [
      {
        credit_monthly_cap: '50.00',
        credit_remaining: '137.50',
        description: 'Fifty dollars a month off object storage for the first year.',
        expire_dt: timestamp(time + 96 * day),
        image_url: 'https://www.example.com/promotions/object-storage.svg',
        service_type: 'objectstorage',
        summary: '$50 a month off object storage',
        this_month_credit_remaining: '12.50',
      },
      {
        credit_monthly_cap: '100.00',
        credit_remaining: '64.00',
        description: 'Credit for an outage of the region eu-central.',
        expire_dt: timestamp(time + 6 * day),
        image_url: 'https://www.example.com/promotions/credit.svg',
        service_type: 'all',
        summary: 'Credit for an outage',
        this_month_credit_remaining: '64.00',
      },
    ],
    active_since: timestamp(time - 1312 * day),
    address_1: '1 Example Street',
    address_2: 'Floor 3',
    capabilities: ['Servers', 'NodeBalancers', 'Block Storage', 'Object Storage', 'Vlans', 'Managed'],
    city: 'Philadelphia',
    company: 'Example Trading',
    country: 'US',
    credit_card: { expiry: lapsed(time), last_four: 1117 },
    email: 'billing@example.com',
    euuid: uuidFrom(seed, 71).toUpperCase(),
    first_name: 'Billing',
    last_name: 'Office',
    phone: '+1 215 555 0142',
    state: 'PA',
    tax_id: '',
    zip: '19102-1234',
    isCancelled: false,
  }),
);

const accountEntity = ({ company }: Account): Entity => ({ label: company, type: 'account', url: null });

/** The cost of the servers since the month began, in US dollars. */
function uninvoiced(cloud: Cloud): number {
  const now = new Date(cloud.time);
  const hours = (cloud.time - Date.UTC(now.getUTCFullYear(), now.getUTCMonth())) / hour;
  let hourly = 0;
  for (const { type, backups } of serversOf(cloud).values()) {
    const { price, addons } = serverType(type);
    hourly += price.hourly + (backups.enabled ? addons.backups.price.hourly : 0);
  }
  return Math.round(hourly * hours * 100) / 100;
}

/** The account as it is answered (document 1, 2.2). */
const shown = (cloud: Cloud): Row => ({
  ...accountOf(cloud),
  balance: balanceOf(cloud).due,
  balance_uninvoiced: accountOf(cloud).isCancelled ? 0 : uninvoiced(cloud),
  isCancelled: undefined,
});

const usStates =
  /^(A[AEKLPRSZ]|C[AOT]|D[CE]|FL|G[AU]|HI|I[ADLN]|K[SY]|LA|M[ADEINOPST]|N[CDEHJMVY]|O[HKR]|P[AR]|RI|S[CD]|T[NX]|U[MT]|V[AIT]|W[AIVY])$/;
const provinces = /^(AB|BC|MB|N[BLSTU]|ON|PE|QC|SK|YT)$/;

function placeComplaints({ country, state, zip }: Record<string, unknown>): readonly FieldError[] {
  const rule = country === 'US' ? usStates : country === 'CA' ? provinces : undefined;
  const wrongState = rule && state !== '' && !rule.test(String(state));
  const long = String(zip).replace(/[^a-z0-9]/gi, '').length > 9;
  return [
    ...(wrongState ? [{ field: 'state', reason: `state is not a valid two-letter code of ${country}` }] : []),
    ...(long ? [{ field: 'zip', reason: 'zip must have at most 9 letters and digits' }] : []),
  ];
}

/** Account Update (document 1, 4.1). */
function edit(call: Call, cloud: Cloud): Row {
  const account = accountOf(cloud);
  const sent = Object.entries(call.body).filter(([name, value]) => writable.has(name) && typeof value === 'string');
  const errors = placeComplaints({ ...account, ...Object.fromEntries(sent) });
  if (errors.length > 0) throw new HttpError(400, errors);
  Object.assign(account, Object.fromEntries(sent));
  logEvent(call, cloud, 'account_update', accountEntity(account));
  return shown(cloud);
}

/** Credit Card Add/Edit: the card becomes the default; its month and year are this month or later. */
function addCard(call: Call, cloud: Cloud): void {
  const { expiry_month: month, expiry_year: year, card_number: number } = call.body;
  if (!isCurrent(Number(month), Number(year), cloud.time))
    throw invalid('expiry_month', 'The card has expired: month and year must be this month or later');
  if (!/^\d+$/.test(String(number))) throw invalid('card_number', 'Must consist of digits');
  const account = accountOf(cloud);
  account.credit_card = { expiry: expiryOf(month, year), last_four: Number(String(number).slice(-4)) };
  logEvent(call, cloud, 'credit_card_updated', accountEntity(account));
}

function isCurrent(month: number, year: number, time: number): boolean {
  const now = new Date(time);
  return year * 12 + month - 1 >= now.getUTCFullYear() * 12 + now.getUTCMonth();
}

/** Account Cancel: the card is charged for the balance first; when that fails nothing else happens (document 1, 4.1). */
function cancel(call: Call, cloud: Cloud): Row {
  needUnrestricted(call);
  const account = accountOf(cloud);
  const [month = 0, year = 0] = account.credit_card.expiry.split('/').map(Number);
  if (!isCurrent(month, year, cloud.time)) {
    const ending = String(account.credit_card.last_four).padStart(4, '0');
    const reason = `We were unable to charge your credit card ending in ${ending} for the remaining balance: it has expired. Add another card and try again.`;
    throw new HttpError(409, [{ reason }]);
  }
  if (typeof (call.body.comments ?? '') !== 'string') throw badRequest('comments must be a text');
  account.isCancelled = true;
  balanceOf(cloud).due = 0;
  logEvent(call, cloud, 'payment_submitted', accountEntity(account));
  return { survey_link: 'https://survey.example.com/leaving?account=8a4c2f' };
}

/** The account (document 1, 4.1). */
export const account = handlersFor('account', { view: (_call, cloud) => shown(cloud), edit, card: addCard, cancel });

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
