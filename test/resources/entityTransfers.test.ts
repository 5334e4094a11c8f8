import { expect, test } from 'vitest';
import { entityTransfers } from '../../src/resources/account/entityTransfers.ts';
import { bodyOf } from '../../src/resources/body.ts';
import { servers } from '../../src/resources/compute/servers.ts';
import type { Row } from '../../src/resources/resource.ts';
import { actionOf, saidBy } from './actionOf.ts';
import { knowing } from './known.ts';

const now = Date.UTC(2024, 4, 15, 12);
const view = knowing({}, { now });
const pending: Row = {
  token: 'a',
  status: 'pending',
  is_sender: true,
  entities: { servers: [1, 2] },
  expiry: '2024-05-15T12:00:01',
};

const refusal = (name: string, more: Row) => actionOf(entityTransfers, name).refuse?.({ ...pending, ...more }, view);

test('the sender cancels and the receiver accepts, while it is pending and not over', () => {
  expect(refusal('cancel', {})).toBeUndefined();
  expect(refusal('accept', {})).toMatch(/your own account/);
  expect(refusal('accept', { is_sender: false })).toBeUndefined();
  expect(refusal('cancel', { is_sender: false })).toMatch(/another account/);
  expect(refusal('cancel', { status: 'accepted' })).toBe(
    'This transfer was accepted already; only a pending one can be accepted or cancelled',
  );
  expect(refusal('accept', { is_sender: false, status: 'failed' })).toMatch(/^This transfer has failed; /);
  expect(refusal('cancel', { expiry: '2024-05-15T12:00:00' })).toMatch(/expired/);
});

test('a transfer of marked servers names them all', () => {
  const shortcut = servers.shortcuts?.find(({ to }) => to === entityTransfers.name);
  const rows = [{ id: 12 }, { id: 7 }];
  const draft = shortcut?.start({ id: 12 }, view, {}, rows) ?? {};
  expect(bodyOf(entityTransfers, actionOf(entityTransfers, 'create'), draft)).toEqual({
    entities: { servers: [12, 7] },
  });
});

test('its token can be typed where it is in no list', () => {
  expect(entityTransfers.ids?.test('c0ca98aa-d357-4113-8b13-4f9da13c6449')).toBe(true);
  expect(entityTransfers.ids?.test('c0ca98aa')).toBe(false);
});

test('one server is offered in the singular', () => {
  const says = (...ids: readonly string[]) =>
    saidBy(actionOf(entityTransfers, 'create'), 'warning', {}, view, { 'entities.servers': ids });
  expect(says('7')).toBe(
    'Offers 7 with everything on it: whoever has the token can accept it within 24 hours, and then it is no longer yours.',
  );
  expect(says('7', '8')).toBe(
    'Offers 7 and 8 with everything on them: whoever has the token can accept them within 24 hours, and then they are no longer yours.',
  );
});
