import { expect, test } from 'vitest';
import { type Account, account } from './accountNouns.ts';
import { describeArea } from './area.ts';
import type { Cloud } from './cloud.ts';
import { accepts, atMost, lengths, range, refuses, required } from './limits.ts';
import type { Event } from './nouns.ts';
import { matching, nothing, object } from './shapes.ts';

const digits = (length: number) => '4111222233334444'.repeat(2).slice(0, length);
const goodCard = { card_number: digits(16), cvv: '123', expiry_month: 12, expiry_year: 2031 };

const withGoodCard = async (cloud: Cloud) => {
  await cloud.post('/v4/account/credit-card', goodCard);
  return {};
};

/** The state and country that hold, whatever was tried before. */
const inGermany = async (cloud: Cloud) => {
  await cloud.put('/v4/account', { country: 'DE', state: 'Hessen', zip: '60311' });
  return { company: 'Example Trading' };
};

describeArea(
  'account (document 1, 4.1)',
  {
    'GET /v4/account': { answers: account },
    'PUT /v4/account': {
      answers: account,
      body: inGermany,
      limits: [
        atMost('address_1', 64),
        atMost('address_2', 64),
        atMost('city', 24),
        atMost('company', 128),
        atMost('email', 128),
        atMost('first_name', 50),
        atMost('last_name', 50),
        atMost('phone', 32),
        atMost('state', 24),
        atMost('tax_id', 25),
        { field: 'country', accepts: ['DE', 'NZ'], refuses: ['D', 'DEU', 'D1', 5] },
        { field: 'zip', accepts: ['1234567', 'AB-12 34 CDE', '123456789'], refuses: ['1234567890', 'AB_12', 5] },
        accepts('tax_id', ''),
      ],
    },
    'POST /v4/account/cancel': {
      answers: object({ survey_link: matching(/^https:\/\//) }),
      params: withGoodCard,
      body: () => ({ comments: 'Moving on.' }),
      limits: [accepts('comments', undefined, ''), refuses('comments', 5)],
    },
    'POST /v4/account/credit-card': {
      answers: nothing,
      body: () => goodCard,
      limits: [
        required('card_number'),
        required('cvv'),
        required('expiry_month'),
        required('expiry_year'),
        lengths('card_number', 14, 24, digits),
        refuses('card_number', '4111 1111 1111 1111', '4111-1111-1111-1111', 4111111111111111),
        lengths('cvv', 3, 4, digits),
        refuses('cvv', '12a', 123),
        range('expiry_month', 1, 12),
        refuses('expiry_year', 999, 10_000, '2031', 24),
      ],
    },
  },
  (cloud) => {
    const put = (body: object) => cloud().ask('PUT', '/v4/account', { body });

    test.each([
      ['US', ['NY', 'DC', 'AA', 'AE', 'AP', 'PR'], ['New York', 'XX', 'ny', 'ON']],
      ['CA', ['ON', 'QC', 'YT'], ['Ontario', 'NY', 'AA']],
      ['NZ', ['Otago', 'NY'], []],
    ])('in %s a state is what that country takes', async (country, good, bad) => {
      for (const state of good) expect((await put({ country, state })).status, state).toBe(200);
      for (const state of bad) {
        const complaints = await cloud().refused('PUT', '/v4/account', { country, state });
        expect(complaints.map(({ field }) => field)).toEqual(['state']);
      }
    });

    test('a state is judged by the country that stays when only one of them is sent', async () => {
      await put({ country: 'NZ', state: 'Otago' });
      await cloud().refused('PUT', '/v4/account', { country: 'US' });
      await put({ country: 'US', state: 'NY' });
      await cloud().refused('PUT', '/v4/account', { state: 'Otago' });
      expect(await cloud().get<Account>('/v4/account')).toMatchObject({ country: 'US', state: 'NY' });
    });

    test('what is edited stays, all else too, and an event tells of it', async () => {
      const before = await cloud().get<Account>('/v4/account');
      await put({ company: 'Example Trading, Ltd' });
      const after = await cloud().get<Account>('/v4/account');
      expect(after).toEqual({
        ...before,
        company: 'Example Trading, Ltd',
        balance_uninvoiced: after.balance_uninvoiced,
      });
      const { data } = await cloud().get<{ data: Event[] }>('/v4/account/events');
      expect(data[0]).toMatchObject({ action: 'account_update', entity: { type: 'account' } });
      expect(data[0]?.entity).not.toHaveProperty('id');
    });

    test('a card is good until the end of its month: this month is accepted, the one before is not', async () => {
      const now = new Date(cloud().now);
      const at = (month: number, year: number) => ({ ...goodCard, expiry_month: month, expiry_year: year });
      const [month, year] = [now.getUTCMonth() + 1, now.getUTCFullYear()];
      await cloud().post('/v4/account/credit-card', at(month, year));
      const complaints = await cloud().refused('POST', '/v4/account/credit-card', at(month - 1, year));
      expect(complaints[0]?.field).toMatch(/^expiry_/);
      expect((await cloud().get<Account>('/v4/account')).credit_card).toEqual({
        expiry: `${String(month).padStart(2, '0')}/${year}`,
        last_four: 4444,
      });
    });
  },
);

describeArea('an account whose card has expired', {}, (cloud) => {
  test('is not cancelled: the charge is refused with a reason and no field, and nothing happens', async () => {
    const before = await cloud().get<Account>('/v4/account');
    const { status, body } = await cloud().ask('POST', '/v4/account/cancel', { body: {} });
    expect(status).toBe(409);
    expect(body).toEqual({ errors: [{ reason: expect.stringMatching(/unable to charge.*1117/) }] });
    expect(await cloud().get<Account>('/v4/account')).toEqual(before);
  });

  test('what is not invoiced grows with time', async () => {
    const { balance_uninvoiced: before } = await cloud().get<Account>('/v4/account');
    cloud().pass(3600);
    const { balance_uninvoiced: after } = await cloud().get<Account>('/v4/account');
    expect(after).toBeGreaterThan(before);
  });
});
