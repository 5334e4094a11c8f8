import { describe, expect, test } from 'vitest';
import { account } from '../../src/resources/account/account.ts';
import { bodyOf } from '../../src/resources/body.ts';
import type { Draft, Row } from '../../src/resources/resource.ts';
import { complaintsOf } from '../../src/resources/verdict.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const now = Date.UTC(2024, 4, 15);
const view = knowing({}, { now });

const row: Row = {
  euuid: 'a',
  company: 'Example Trading',
  email: 'billing@example.com',
  address_1: '1 Example Street',
  country: 'US',
  state: 'PA',
  zip: '19102',
  balance: 12.5,
  balance_uninvoiced: 80,
  credit_card: { expiry: '04/2024', last_four: 42 },
};

const edit = actionOf(account, 'edit');
const card = actionOf(account, 'card');
const cancel = actionOf(account, 'cancel');

const complaints = (draft: Draft) => complaintsOf(account, edit, draft, view, row).map(({ field }) => field);

describe('the address', () => {
  test.each([
    ['US', 'NY', true],
    ['US', 'AE', true],
    ['US', 'DC', true],
    ['US', 'New York', false],
    ['US', 'ON', false],
    ['CA', 'ON', true],
    ['CA', 'NY', false],
    ['CA', 'AA', false],
    ['DE', 'Hessen', true],
  ])('in %s the state %s is taken: %s', (country, state, isTaken) => {
    expect(complaints({ country, state })).toEqual(isTaken ? [] : ['state']);
  });

  test('a state of no rule has at most 24 characters', () => {
    expect(complaints({ country: 'DE', state: 'x'.repeat(24) })).toEqual([]);
    expect(complaints({ country: 'DE', state: 'x'.repeat(25) })).toEqual(['state']);
  });

  test.each([
    ['123456789', true],
    ['12345-6789', true],
    ['SW1A 1AA', true],
    ['1234567890', false],
    ['19102_1', false],
  ])('the postal code %s is taken: %s', (zip, isTaken) => {
    expect(complaints({ zip })).toEqual(isTaken ? [] : ['zip']);
  });

  test('only what differs is sent, and what was cleared as empty', () => {
    const draft: Draft = { company: 'Example Trading', email: 'office@example.com', address_1: '' };
    expect(bodyOf(account, edit, draft, row)).toMatchObject({ email: 'office@example.com', address_1: '' });
    expect(bodyOf(account, edit, draft, row)).not.toHaveProperty('company');
  });
});

describe('a credit card', () => {
  const good: Draft = { card_number: '4111222233334444', cvv: '123', expiry_month: '5', expiry_year: '2024' };
  const wrong = (draft: Draft) =>
    complaintsOf(account, card, { ...good, ...draft }, view, row).map(({ field }) => field);

  test.each<[Draft, readonly string[]]>([
    [{}, []],
    [{ expiry_month: '4' }, ['expiry_month']],
    [{ expiry_month: '4', expiry_year: '2025' }, []],
    [{ expiry_month: '13' }, ['expiry_month']],
    [{ expiry_year: '24' }, ['expiry_year']],
    [{ card_number: '4111 2222 3333 4444' }, []],
    [{ card_number: '4111-2222-3333-44' }, []],
    [{ card_number: '4111 2222 3333 4' }, ['card_number']],
    [{ card_number: '4111 2222 3333 444a' }, ['card_number']],
    [{ card_number: '1'.repeat(13) }, ['card_number']],
    [{ card_number: '1'.repeat(24) }, []],
    [{ card_number: '1'.repeat(25) }, ['card_number']],
    [{ cvv: '12' }, ['cvv']],
    [{ cvv: '1234' }, []],
  ])('%j has these complaints: %j', (draft, fields) => expect(wrong(draft)).toEqual(fields));

  test('its number is sent without what is between its digits', () =>
    expect(bodyOf(account, card, { ...good, card_number: '4111 2222-3333 4444' }, row)).toMatchObject({
      card_number: '4111222233334444',
    }));

  test('its number stays a text, month and year are numbers', () => {
    expect(bodyOf(account, card, good, row)).toEqual({
      card_number: '4111222233334444',
      cvv: '123',
      expiry_month: 5,
      expiry_year: 2024,
    });
  });

  test('the card says whether it has expired, its number with leading zeros', () => {
    const column = account.columns.find(({ title }) => title === 'Credit card');
    const text = (expiry: string) =>
      typeof column?.value === 'function' && column.value({ ...row, credit_card: { expiry, last_four: 42 } }, view);
    expect(text('04/2024')).toBe('ends in 0042, expired 04/2024');
    expect(text('05/2024')).toBe('ends in 0042, expires 05/2024');
  });
});

describe('cancelling', () => {
  test('says what is charged and what is lost, public images left out, and wants the label', () => {
    const images = [{ id: 'a' }, { id: 'b', is_public: true }];
    const says = saidBy(cancel, 'warning', row, knowing({ servers: [{ id: 1 }, { id: 2 }], images }));
    expect(says).toContain('2 servers, 1 image.');
    expect(says).toContain('$12.50');
    expect(says).toContain('About $80.00');
    expect(cancel.ask).toHaveProperty('typeLabel', true);
  });
});
