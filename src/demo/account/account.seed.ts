import type { Account as AccountRow, Promotion as PromotionRow } from '../../resources/account/account.ts';
import { perCloud } from '../engine/cloud.ts';
import { randomFrom } from '../engine/random.ts';
import type { Stored } from '../engine/stored.ts';
import { day, timestamp } from '../engine/time.ts';

/** A promotion (document 1, 2.3). */
type Promotion = Stored<PromotionRow> & { image_url: string };

/** The account without what follows from other things (document 1, 2.2). */
export type Account = Omit<Stored<AccountRow>, 'balance' | 'balance_uninvoiced'> & {
  active_promotions: readonly Promotion[];
  active_since: string;
  credit_card: { expiry: string; last_four: number };
  phone: string;
  tax_id: string;
  isCancelled: boolean;
};

/** The fields that an update may hold. */
export const writable: ReadonlySet<string> = new Set(
  'address_1 address_2 city company country email first_name last_name phone state tax_id zip'.split(' '),
);

/** An identifier of the form 8-4-4-4-12 that the numbers determine. */
export function uuidFrom(...numbers: readonly number[]): string {
  const random = randomFrom(...numbers);
  return '00000000-0000-4000-8000-000000000000'.replace(/0/g, () => random.integer(0, 15).toString(16));
}

/** A card that was good until the month before last, `MM/YYYY`. */
function lapsed(time: number): string {
  const date = new Date(time);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() - 1);
  return `${String(date.getUTCMonth() + 1).padStart(2, '0')}/${date.getUTCFullYear()}`;
}

/** The account. Its credit card has just expired at first. */
export const accountOf = perCloud(
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
