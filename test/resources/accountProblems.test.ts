import { describe, expect, it } from 'vitest';
import type { Row } from '../../src/resources/resource.ts';
import { foundBy, present } from './foundBy.ts';

const hour = 3_600_000;
const day = 24 * hour;
const stamp = (time: number) => new Date(time).toISOString().slice(0, 19);

const account = {
  euuid: 'A1',
  company: 'Example Trading',
  balance: 0,
  balance_uninvoiced: 100,
  credit_card: { expiry: '12/2030', last_four: 1117 },
  active_promotions: [],
};

const found = (name: string, change: object, invoices?: readonly Row[], now = present) =>
  foundBy(name, { lists: { account: [{ ...account, ...change }], ...(invoices && { invoices }) }, now });
const saysOf = (...given: Parameters<typeof found>) => found(...given).map(({ severity, says }) => [severity, says]);

describe('the card', () => {
  const card = (expiry: unknown, last_four: unknown = 1117) => ({ credit_card: { expiry, last_four } });

  it('has expired from the month after on', () => {
    expect(found('card-expired', card('04/2024'))).toMatchObject([
      {
        severity: 'critical',
        says: 'The card ending in 1117 expired 04/2024; the next invoice cannot be charged to it',
        since: Date.UTC(2024, 4, 1),
      },
    ]);
    expect(saysOf('card-expired', card('04/2024', 42))).toMatchObject([
      ['critical', expect.stringContaining('The card ending in 0042 expired')],
    ]);
    expect(found('card-expired', card('05/2024'))).toEqual([]);
    expect(found('card-expired', card('04/2024'), undefined, Date.UTC(2024, 4, 1) - 1)).toEqual([]);
  });

  it('expires within 30 days', () => {
    const end = Date.UTC(2024, 5, 1);
    expect(saysOf('card-expires', card('05/2024'), undefined, end - 30 * day)).toEqual([
      ['warning', 'The card ending in 1117 expires 05/2024, in 30 days'],
    ]);
    expect(found('card-expires', card('05/2024'), undefined, end - 30 * day - 1)).toEqual([]);
    expect(found('card-expires', card('05/2024'), undefined, end)).toEqual([]);
  });

  it.each([null, '', 'soon', 5, undefined])('says nothing of the expiry %j', (expiry) => {
    expect(found('card-expired', card(expiry))).toEqual([]);
    expect(found('card-expires', card(expiry))).toEqual([]);
  });

  it('is missing, which is told with what is due, if anything is', () => {
    expect(saysOf('no-card', { credit_card: null })).toEqual([
      ['notice', 'No credit card is on file, so invoices are not paid by themselves'],
    ]);
    expect(found('no-card', card(null, null))).toHaveLength(1);
    expect(found('no-card', {})).toEqual([]);
    expect(found('no-card', { credit_card: undefined })).toEqual([]);
    expect(found('no-card', { credit_card: null, balance: 3 })).toEqual([]);
    expect(saysOf('balance-due', { credit_card: null, balance: 3 })).toEqual([
      ['warning', '$3.00 is due, and there is no card to charge it to'],
    ]);
  });
});

describe('balance-due', () => {
  it.each([
    [12.5, [['warning', '$12.50 is due']]],
    [0.01, [['warning', '$0.01 is due']]],
    [0, []],
    [-20, []],
    [null, []],
    ['12', []],
  ])('of %j', (balance, says) => {
    expect(saysOf('balance-due', { balance })).toEqual(says);
  });
});

describe('promotion-expires', () => {
  const promotion = { summary: 'Welcome', credit_remaining: '64.00', expire_dt: stamp(present + 3 * day) };
  const of = (change: object) => saysOf('promotion-expires', { active_promotions: [{ ...promotion, ...change }] });

  it('names each credit that is lost within a week', () => {
    expect(of({})).toEqual([['notice', '$64.00 of credit (Welcome) expires on 2024-05-04, in 3 days']]);
    expect(of({ expire_dt: stamp(present + 7 * day) })).toHaveLength(1);
    const both = found('promotion-expires', { active_promotions: [promotion, { ...promotion, summary: 'Second' }] });
    expect(new Set(both.map(({ id }) => id)).size).toBe(2);
  });

  it.each([
    { expire_dt: stamp(present + 7 * day + 1000) },
    { expire_dt: stamp(present) },
    { expire_dt: null },
    { credit_remaining: '0.00' },
    { credit_remaining: null },
  ])('leaves %o alone', (change) => {
    expect(of(change)).toEqual([]);
  });
});

describe('spending-rises', () => {
  const invoice = (total: number, month: number) => ({ id: month, total, date: stamp(Date.UTC(2024, month, 1)) });
  const invoices = [invoice(900, 0), invoice(80, 1), invoice(100, 3), invoice(90, 2)];

  it('compares with the largest of the last three invoices', () => {
    expect(saysOf('spending-rises', { balance_uninvoiced: 150.01 }, invoices)).toEqual([
      ['notice', 'About $150.01 is not invoiced yet; the largest of the last three invoices was $100.00'],
    ]);
    expect(found('spending-rises', { balance_uninvoiced: 150 }, invoices)).toEqual([]);
  });

  it('says nothing of small amounts, and nothing without invoices to compare with', () => {
    const small = [invoice(5, 1), invoice(5, 2)];
    expect(found('spending-rises', { balance_uninvoiced: 25 }, small)).toEqual([]);
    expect(found('spending-rises', { balance_uninvoiced: 25.01 }, small)).toHaveLength(1);
    expect(found('spending-rises', { balance_uninvoiced: 900 }, [invoice(5, 1)])).toEqual([]);
    expect(found('spending-rises', { balance_uninvoiced: 900 })).toEqual([]);
  });
});

describe('transfers', () => {
  const transfer = {
    token: 'T',
    status: 'pending',
    is_sender: true,
    entities: { servers: [1, 2] },
    created: stamp(present - 20 * hour),
    updated: stamp(present - 20 * hour),
    expiry: stamp(present + 4 * hour),
  };
  const servers = [{ id: 1, label: 'web-1' }];
  const of = (name: string, change: object) =>
    foundBy(name, { lists: { 'entity-transfers': [{ ...transfer, ...change }], servers } });
  const words = (name: string, change: object) => of(name, change).map(({ severity, says }) => [severity, says]);

  it('have ids without their tokens, which are kept on the disk', () => {
    const tokens = ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174001'];
    const lists = { 'entity-transfers': tokens.map((token) => ({ ...transfer, token })), servers };
    const ids = foundBy('transfer-expires', { lists }).map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    for (const id of ids) expect(id).toMatch(/^transfer-expires [\da-z]{1,7}$/);
  });

  it('that were sent and are about to expire', () => {
    expect(of('transfer-expires', {})).toMatchObject([
      {
        severity: 'warning',
        says: 'The transfer of web-1 and server 2 to another account is not accepted yet; it expires in 4 hours',
        since: present - 20 * hour,
      },
    ]);
    expect(of('transfer-expires', { expiry: stamp(present + 6 * hour) })).toHaveLength(1);
    expect(of('transfer-expires', { expiry: stamp(present + 6 * hour + 1000) })).toEqual([]);
    expect(of('transfer-expires', { expiry: stamp(present) })).toEqual([]);
    expect(of('transfer-expires', { status: 'completed' })).toEqual([]);
    expect(of('transfer-expires', { is_sender: false })).toEqual([]);
  });

  it('that are offered', () => {
    const offered = { is_sender: false };
    expect(words('transfer-offered', { ...offered, expiry: stamp(present + 20 * hour) })).toEqual([
      ['notice', 'The transfer of web-1 and server 2 to this account waits to be accepted; it expires in 20 hours'],
    ]);
    expect(words('transfer-offered', offered)).toEqual([
      ['warning', 'The transfer of web-1 and server 2 to this account waits to be accepted; it expires in 4 hours'],
    ]);
    expect(of('transfer-offered', {})).toEqual([]);
    expect(of('transfer-offered', { ...offered, expiry: stamp(present - 1000) })).toEqual([]);
    expect(of('transfer-offered', { ...offered, status: 'stale' })).toEqual([]);
  });

  it('that take longer than they should', () => {
    const accepted = (ago: number) => ({ status: 'accepted', updated: stamp(present - ago) });
    expect(words('transfer-slow', accepted(4 * hour))).toEqual([
      [
        'warning',
        'The transfer of web-1 and server 2 was accepted but is not complete yet; it should take at most 3 hours',
      ],
    ]);
    expect(of('transfer-slow', accepted(3 * hour))).toEqual([]);
    expect(of('transfer-slow', {})).toEqual([]);
  });

  it('that failed within a week', () => {
    const failed = (ago: number) => ({ status: 'failed', updated: stamp(present - ago), entities: null });
    expect(words('transfer-failed', failed(hour))).toEqual([['warning', 'A transfer failed; a new one is needed']]);
    expect(of('transfer-failed', failed(7 * day))).toEqual([]);
    expect(of('transfer-failed', {})).toEqual([]);
  });
});
