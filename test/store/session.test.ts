import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import type { Call } from '../../src/api/request.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { ListOperation } from '../../src/resources/resource.ts';
import { createTransfers, secondsLeftOf } from '../../src/store/changes/transfers.ts';
import { createNotices } from '../../src/store/notices.ts';
import { createSession, whyForbidden } from '../../src/store/session.ts';
import { serve } from '../api/server.ts';
import { apiError, fakeApi, settled } from './fakeApi.ts';

const call = (given: Partial<Call> = {}): Call => ({
  method: 'GET',
  path: '/',
  status: 200,
  ms: 20,
  at: Date.now(),
  attempt: 1,
  ...given,
});

describe('with a clock of its own', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(() => void vi.useRealTimers());

  test('five hundred calls are remembered', () => {
    const session = createSession(Date.now);
    for (let n = 0; n < 600; n++) session.noteCall(call({ ms: n }));
    expect(session.getState().calls).toHaveLength(500);
    expect(session.getState().calls.at(-1)?.ms).toBe(599);
  });

  test.each<[Partial<Call>, RegExp]>([
    [{ kind: 'unreachable', status: undefined }, /cannot be reached/],
    [{ kind: 'timeout', status: undefined }, /does not answer in time/],
    [{ kind: 'answer', status: 302 }, /redirects are not followed/],
    [{ kind: 'answer', status: 401 }, /token was rejected; create another one/],
    [{ kind: 'answer', status: 429 }, /limits the rate of requests/],
    [{ kind: 'answer', status: 503 }, /answers 503/],
    [{ kind: 'malformed', status: 200 }, /does not answer like the API/],
  ])('%j is trouble until a call succeeds', (failed, says) => {
    const session = createSession(Date.now);
    session.noteCall(call());
    vi.setSystemTime(1_005_000);
    session.noteCall(call({ ...failed, ms: 999 }));
    vi.setSystemTime(1_009_000);
    session.noteCall(call({ ...failed, ms: 999 }));
    expect(session.getState().trouble).toEqual({ text: expect.stringMatching(says), since: 1_005_000 });
    expect(session.getState().latency).toBe(20);
    session.noteCall(call({ ms: 30 }));
    expect(session.getState()).toMatchObject({ latency: 30, answeredAt: 1_009_000 });
    expect(session.getState().trouble).toBeUndefined();
  });

  test.each([400, 403, 404])('a refusal with %i is no trouble', (status) => {
    const session = createSession(Date.now);
    session.noteCall(call({ kind: 'answer', status, error: 'No.' }));
    expect(session.getState().trouble).toBeUndefined();
  });

  test('refusals are remembered by operation', () => {
    const session = createSession(Date.now);
    const boot = { method: 'POST', path: '/boot' } as const;
    session.noteRefusal(boot, 'It lacks servers:read_write.');
    expect(whyForbidden({ api: fakeApi(), session }, boot)).toBe('It lacks servers:read_write.');
    expect(whyForbidden({ api: fakeApi(), session }, { ...boot, path: '/other' })).toBeUndefined();
  });

  test('a notice stays for a while, a bad one longer; a hundred are remembered', () => {
    const notices = createNotices(Date.now);
    notices.say('good', 'Done.');
    vi.advanceTimersByTime(4_000);
    notices.say('bad', 'It failed.');
    vi.advanceTimersByTime(11_999);
    expect(notices.getState().current?.text).toBe('It failed.');
    vi.advanceTimersByTime(1);
    expect(notices.getState().current).toBeUndefined();
    expect(notices.getState().notices.map(({ text, at }) => [text, at])).toEqual([
      ['Done.', 1_000_000],
      ['It failed.', 1_004_000],
    ]);
    for (let n = 1; n <= 120; n++) notices.say('plain', `${n}`);
    const ids = notices.getState().notices.map(({ id }) => id);
    expect([ids.length, new Set(ids).size, notices.getState().notices[0]?.text]).toEqual([100, 100, '21']);
  });

  test('what happens by itself waits until what the user did was told, and may take the place of what was said', () => {
    const notices = createNotices(Date.now);
    const current = () => notices.getState().current?.text;
    notices.say('good', 'Done.');
    const first = notices.add({ tone: 'bad', text: 'One is broken.' });
    expect(current()).toBe('Done.');
    const both = notices.add({ tone: 'bad', text: 'Two are broken.' }, first);
    vi.advanceTimersByTime(5_000);
    expect(current()).toBe('Two are broken.');
    notices.add({ tone: 'bad', text: 'Three are broken.' }, both);
    expect(current()).toBe('Three are broken.');
    notices.say('good', 'Done again.');
    expect(current()).toBe('Done again.');
    notices.add({ tone: 'plain', text: 'It is worth knowing.' });
    for (let n = 1; n <= 5; n++) notices.add({ tone: 'warn', text: `${n}` });
    const shown = ['Done again.'];
    for (; current() !== undefined; vi.advanceTimersByTime(1_000))
      if (current() !== shown.at(-1)) shown.push(current() ?? '');
    expect(shown).toEqual(['Done again.', '3', '4', '5']);
    expect(notices.getState().notices.map(({ text }) => text)).toEqual([
      'Done.',
      'Three are broken.',
      'Done again.',
      'It is worth knowing.',
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  test('that came by itself comes back when an answer takes its place before anybody could read it', () => {
    const notices = createNotices(Date.now);
    const current = () => notices.getState().current?.text;
    notices.add({ tone: 'bad', text: 'The disk is full.' });
    notices.say('good', 'Done.');
    expect(current()).toBe('Done.');
    vi.advanceTimersByTime(5_000);
    expect(current()).toBe('The disk is full.');
    vi.advanceTimersByTime(2_000);
    notices.say('good', 'Done again.');
    vi.advanceTimersByTime(5_000);
    expect(current()).toBeUndefined();
  });

  test('a transfer shows how far it is, how fast, and how it ended', async () => {
    const transfers = createTransfers(Date.now);
    const newest = () => transfers.getState().transfers.at(-1);
    const { promise, resolve } = Promise.withResolvers<void>();
    const done = transfers.start('Upload a', async ({ onProgress }) => {
      vi.setSystemTime(1_001_000);
      onProgress(1000, 5000);
      await promise;
    });
    expect(newest()).toMatchObject({ state: 'running', bytes: 1000, total: 5000, rate: 1000 });
    const shown = newest();
    expect(shown && secondsLeftOf(shown)).toBe(4);
    resolve();
    expect(await done).toEqual({ state: 'done' });
    expect(newest()?.state).toBe('done');
    const failed = await transfers.start('Upload b', () => Promise.reject(apiError({ message: 'Too large.' })));
    expect(failed).toEqual({ state: 'failed', error: 'Too large.' });
    expect(newest()).toMatchObject({ state: 'failed', error: 'Too large.' });
  });

  test('a transfer is cancelled alone or with all others', async () => {
    const transfers = createTransfers(Date.now);
    const carry = ({ signal }: { signal: AbortSignal }) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(apiError({ kind: 'aborted' })));
      });
    for (const what of ['a', 'b', 'c']) void transfers.start(what, carry);
    const states = () => transfers.getState().transfers.map(({ state }) => state);
    transfers.cancel(transfers.getState().transfers[1]?.id ?? 0);
    await settled();
    expect(states()).toEqual(['running', 'cancelled', 'running']);
    transfers.stop();
    await settled();
    expect(states()).toEqual(['cancelled', 'cancelled', 'cancelled']);
  });
});

test('a call that one leaves is no trouble', async () => {
  const leaving = new AbortController();
  const { url } = await serve(() => leaving.abort());
  const session = createSession(Date.now);
  const api = connect({ baseUrl: url, token: 'token', onCall: session.noteCall });
  const reading = api.send(resourceNamed('servers').list as ListOperation, { signal: leaving.signal });
  await expect(reading).rejects.toMatchObject({ kind: 'aborted' });
  expect(session.getState().calls).toHaveLength(1);
  expect(session.getState().trouble).toBeUndefined();
  await api.close();
});
