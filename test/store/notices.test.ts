import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createNotices } from '../../src/store/notices.ts';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const failed = 'Shut down 3 servers: 2 of 3 done.';
const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000);

test('the failure of a run stays until a key is pressed, and what happened meanwhile follows it', async () => {
  const notices = createNotices(Date.now);
  const shown = () => notices.getState().current?.text;
  notices.say('bad', failed, { stays: true });
  notices.add({ tone: 'good', text: 'Server shutdown of web-1 finished.' });
  await seconds(600);
  expect(shown()).toBe(failed);
  expect(notices.pressed(false)).toBe(false);
  await seconds(11);
  expect(shown()).toBe(failed);
  await seconds(2);
  expect(shown()).toBe('Server shutdown of web-1 finished.');
  expect(notices.pressed(false)).toBe(false);
  await seconds(5);
  expect(shown()).toBeUndefined();
});

test('esc takes the failure of a run off, also after another key, and is then a key like others', async () => {
  const notices = createNotices(Date.now);
  const shown = () => notices.getState().current?.text;
  notices.say('bad', failed, { stays: true });
  notices.add({ tone: 'good', text: 'Server shutdown of web-1 finished.' });
  notices.pressed(false);
  await seconds(6);
  notices.pressed(false);
  expect(notices.pressed(true)).toBe(true);
  expect(shown()).toBe('Server shutdown of web-1 finished.');
  expect(notices.pressed(true)).toBe(false);
  notices.say('bad', failed, { stays: true });
  await seconds(600);
  expect(shown()).toBe(failed);
});

test('the next answer to a key takes its place', async () => {
  const notices = createNotices(Date.now);
  notices.say('bad', failed, { stays: true });
  notices.say('plain', 'This is the first place.');
  await seconds(6);
  expect(notices.getState().current).toBeUndefined();
});
