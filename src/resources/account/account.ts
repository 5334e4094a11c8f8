import { amountIn, dollars } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { emailPattern } from '../ipAddress.ts';
import { type DescribedField, type DescribedFields, type Resource, resource } from '../resource.ts';
import { at, type CacheView, type Draft, type Row } from '../row.ts';

/** A credit granted to the account (document 1, 2.3); the amounts are decimal strings in US dollars. */
export type Promotion = Row & {
  summary: string;
  description: string;
  credit_remaining: string;
  this_month_credit_remaining: string;
  credit_monthly_cap: string;
  expire_dt: string | null;
  service_type: string;
};

/** Contact and billing data (document 1, 2.2). */
export type Account = Row & {
  euuid: string;
  first_name: string;
  last_name: string;
  company: string;
  email: string;
  address_1: string;
  address_2: string;
  city: string;
  state: string;
  zip: string;
  country: string;
  balance: number;
  balance_uninvoiced: number;
  credit_card: { expiry: string | null; last_four: number | string | null } | null;
  active_promotions: readonly Promotion[];
  capabilities: readonly string[];
  active_since: string;
  phone: string;
  tax_id: string;
};

/** The end of the month `MM/YYYY` in which a card expires, in ms since the epoch; NaN for anything else. */
export function cardEnd(expiry: unknown): number {
  const [, month, year] = /^(\d\d?)\/(\d{4})$/.exec(String(expiry)) ?? [];
  return Date.UTC(Number(year), Number(month));
}

function cardText({ credit_card: card }: Account, { now }: CacheView): string | undefined {
  if (!card?.last_four) return undefined;
  const { expiry, last_four } = card;
  const ending = `ends in ${String(last_four).padStart(4, '0')}`;
  if (!expiry) return ending;
  return `${ending}, ${cardEnd(expiry) <= now ? 'expired' : 'expires'} ${expiry}`;
}

/** Counts the resources of the account, as far as they are loaded: "40 servers, 12 volumes". */
function holdings(view: CacheView): string {
  const held = ['server', 'volume', 'domain', 'NodeBalancer', 'image'].flatMap((noun) => {
    const count = view.rows(`${noun.toLowerCase()}s`).filter(({ is_public }) => is_public !== true).length;
    return count > 0 ? [counted(count, noun)] : [];
  });
  return held.length > 0 ? ` Loaded here: ${held.join(', ')}.` : '';
}

/** The final charge to the card: the balance due and the uninvoiced amount, less a credit. */
function finalCharge({ balance, balance_uninvoiced: open }: Account): string {
  const [due, uninvoiced] = [amountIn(balance), amountIn(open)];
  const charged =
    due === undefined
      ? 'The card on file is charged the balance due; the API does not report how much that is.'
      : due >= 0.01
        ? `The card on file is charged the balance due, ${dollars(due)}.`
        : due <= -0.01
          ? `The account has a credit of ${dollars(-due)}; whether it is refunded is not documented.`
          : 'Nothing is due now.';
  const further =
    uninvoiced === undefined
      ? 'What is not invoiced yet is charged too; the API does not report how much that is.'
      : uninvoiced >= 0.01
        ? `About ${dollars(uninvoiced)} is not invoiced yet and is charged too${due !== undefined && due <= -0.01 ? ', as far as the credit does not cover it' : ''}.`
        : 'Nothing else is waiting to be invoiced.';
  return `${charged} ${further}`;
}

/** A card number without the spaces and dashes between its digits. */
const bareNumber = (text: string): string => text.replace(/[ -]/g, '');

const digits = { test: /^\d+$/, says: 'digits only' };

/** The account's own id in an answer; an empty one, which would be that of several accounts, is none. */
export function euuidOf(answer: unknown): string | undefined {
  const euuid = at(answer, 'euuid');
  return typeof euuid === 'string' && euuid !== '' ? euuid : undefined;
}

/** A line of text that can be taken away. */
const line = (max: number | undefined, section: string, more: DescribedField = {}): DescribedField => ({
  max,
  emptied: '',
  section,
  ...more,
});

/** The fields that an edit changes, in the order of its form. */
const contactFields: DescribedFields = {
  company: line(128, 'Contact'),
  first_name: line(50, 'Contact'),
  last_name: line(50, 'Contact'),
  email: line(128, 'Contact', {
    check: (entry) => (emailPattern.test.test(entry) ? undefined : `must be ${emailPattern.says}`),
  }),
  phone: line(32, 'Contact'),
  address_1: line(64, 'Billing address', { label: 'Address' }),
  address_2: line(64, 'Billing address', { label: 'Address, line 2' }),
  city: line(24, 'Billing address'),
  state: line(24, 'Billing address', {
    label: 'State or province',
    check: stateComplaint,
    help: 'In the US and Canada the two-letter code.',
  }),
  zip: line(undefined, 'Billing address', {
    label: 'Postal code',
    pattern: { test: /^[A-Za-z0-9 -]*$/, says: 'letters, digits, spaces and hyphens' },
    check: zipComplaint,
  }),
  country: line(2, 'Billing address', {
    min: 2,
    emptied: undefined,
    pattern: { test: /^[A-Z]{2}$/, says: 'two capital letters (ISO 3166), e.g. DE', whole: true },
  }),
  tax_id: line(25, 'Billing address', { label: 'Tax ID', help: 'For tax calculation in some countries.' }),
};

/** The account (document 1, 2.2 and 4.1). */
export const account: Resource = resource<Account>()({
  name: 'account',
  area: 'Account',
  aliases: ['billing', 'contact'],
  id: 'euuid',
  param: 'account',
  path: '/v4/account',
  scope: 'account',
  label: ({ company, email, euuid }) => company || email || euuid,
  entity: 'account',
  events: ['account_', 'credit_card_', 'payment_'],
  fields: {
    ...contactFields,
    comments: { kind: 'paragraph', help: 'Why you are leaving, and any other remarks to the platform.' },
    card_number: {
      kind: 'secret',
      min: 14,
      max: 24,
      pattern: { test: /^[\d -]*$/, says: 'digits; spaces and dashes between them are not sent' },
      check: (entry) =>
        bareNumber(entry).length < 14 ? `must have 14–24 digits; it has ${bareNumber(entry).length}` : undefined,
    },
    cvv: { label: 'Security code', kind: 'secret', min: 3, max: 4, pattern: digits },
    expiry_month: { kind: 'integer', min: 1, max: 12 },
    expiry_year: { kind: 'integer', min: 1000, max: 9999, help: 'All four digits.' },
  },
  columns: [
    { title: 'Company', value: 'company', keep: 1 },
    { title: 'Name', value: ({ first_name, last_name }) => `${first_name ?? ''} ${last_name ?? ''}`.trim(), keep: 1 },
    { title: 'Email', value: 'email', keep: 1 },
    { title: 'Phone', value: 'phone' },
    { title: 'Balance', value: 'balance', format: 'money', keep: 1 },
    { title: 'Not invoiced yet', value: 'balance_uninvoiced', format: 'money', keep: 1 },
    { title: 'Credit card', value: cardText },
    { title: 'Promotions', value: ({ active_promotions }) => active_promotions?.length ?? 0, format: 'number' },
  ],
  card: [
    { title: 'Address', value: ({ address_1, address_2 }) => [address_1, address_2].filter(Boolean), format: 'list' },
    { title: 'City', value: ({ zip, city }) => `${zip ?? ''} ${city ?? ''}`.trim() },
    { title: 'State or province', value: 'state' },
    { title: 'Country', value: 'country' },
    { title: 'Tax ID', value: 'tax_id' },
    { title: 'Active since', value: 'active_since', format: 'date' },
    { title: 'Account ID', value: 'euuid' },
    { title: 'Capabilities', value: ({ capabilities }) => capabilities?.join(', '), format: 'paragraph' },
  ],
  tabs: [
    { title: 'Spending', screen: 'accountSpending', uses: ['invoices.list'] },
    { title: 'Invoices', list: 'invoices' },
    { title: 'Promotions', screen: 'accountPromotions' },
  ],
  list: false,
  edit: { body: Object.keys(contactFields) },
  actions: [
    {
      name: 'card',
      shownBy: { events: ['credit_card_updated', 'payment_method_add'] },
      key: 'c',
      help: 'Replace the credit card (deprecated)',
      on: 'Replace the credit card of {} (deprecated)',
      path: '/v4/account/credit-card',
      body: ['card_number!', 'cvv!', 'expiry_month!', 'expiry_year!'],
      check: (draft, { now }) =>
        cardEnd(`${draft.expiry_month}/${draft.expiry_year}`) <= now
          ? { field: 'expiry_month', says: 'the card has expired; month and year must be this month or later' }
          : undefined,
      send: (body) => ({ ...body, card_number: bareNumber(String(body.card_number)) }),
      ask: {
        note: 'The card becomes the default payment method. The API has replaced this operation by payment methods and may remove it.',
      },
      inverse: 'The number of the card before cannot be read back.',
    },
    {
      name: 'cancel',
      key: 'x',
      help: 'Cancel the account',
      on: 'Cancel the account {}',
      body: ['comments'],
      ask: {
        warning: (account, view) =>
          `Cancels the account of ${account.company || account.email} with everything in it: every server, disk, backup, volume, image, domain, NodeBalancer and bucket is lost and cannot be recovered.${holdings(view)} ${finalCharge(account)} If the charge fails, the account is not cancelled. Only unrestricted users may do this.`,
        typeLabel: true,
      },
      inverse: 'Everything in the account is gone.',
      secret: ['survey_link'],
    },
  ],
  paragraphs: ['postal address'],
  copies: {
    'account ID': ({ euuid }) => euuid,
    'postal address': ({ company, address_1, address_2, city, state, zip, country }) =>
      [company, address_1, address_2, [zip, city].filter(Boolean).join(' '), state, country].filter(Boolean).join('\n'),
  },
});

const codes = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** ISO 3166-2 codes of the two countries that take nothing else (document 1, 2.2); AA, AE and AP are military addresses. */
const statesOf: Readonly<Record<string, { of: string; codes: ReadonlySet<string> }>> = {
  US: {
    of: 'the two letters of a US state, e.g. NY, or AA, AE or AP for the military',
    codes: codes(
      'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI AA AE AP',
    ),
  },
  CA: { of: 'the two letters of a Canadian province, e.g. ON', codes: codes('AB BC MB NB NL NS NT NU ON PE QC SK YT') },
};

function stateComplaint(state: string, { country }: Draft): string | undefined {
  const rule = statesOf[String(country)];
  return rule && !rule.codes.has(state) ? `must be ${rule.of}, because Country is ${country}` : undefined;
}

const maxInZip = 9;

/** Says why a postal code is wrong, as the end of a sentence. */
function zipComplaint(zip: string): string | undefined {
  const count = zip.replace(/[^A-Za-z0-9]/g, '').length;
  return count > maxInZip ? `must have at most ${maxInZip} letters and digits; it has ${count}` : undefined;
}
