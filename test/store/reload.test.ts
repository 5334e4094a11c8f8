import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { type Configuration, noConfiguration, type Reread } from '../../src/config/configuration.ts';
import { reload } from '../../src/store/accounts/reload.ts';
import { createNotices } from '../../src/store/notices.ts';

/** Reads the configuration again, with this result; returns all that is said, and the configuration that counts then. */
async function reloaded(read: Reread) {
  const notices = createNotices(Date.now);
  const configuration = createStore<Configuration>(() => noConfiguration);
  await reload({ configuration, notices, reread: async () => read }, []);
  return { said: notices.getState().notices.map(({ text }) => text), now: configuration.getState() };
}

const mistakes = ['line 1: a is unknown.', 'line 2: b is missing.', 'line 3: c is no number.'];
const configuration: Configuration = { ...noConfiguration, theme: 'light' };

test('where nothing is taken over each mistake is told once, and that what runs stays', async () => {
  const { said, now } = await reloaded({ mistakes, later: [] });
  expect(said).toEqual([`${mistakes[0]} The configuration that runs stays as it is.`, ...mistakes.slice(1)]);
  expect(now).toBe(noConfiguration);
});

test('where the rest is taken over each mistake is told once, and that its part is left out', async () => {
  const { said, now } = await reloaded({ file: 'c.toml', configuration, mistakes, later: ['read_only'] });
  expect(said).toEqual([
    'c.toml is read again: theme applies now; read_only counts from the next start. Left out: 3 parts with a mistake; the journal says which.',
    ...mistakes.map((text) => `${text} It is left out.`),
  ]);
  expect(now.theme).toBe('light');
});

test('one part that is several applies in the plural', async () => {
  const keys = { list: { sort: 'O' } };
  const { said } = await reloaded({
    file: 'c.toml',
    configuration: { ...noConfiguration, keys },
    mistakes: [],
    later: [],
  });
  expect(said).toEqual(['c.toml is read again: keys apply now.']);
});
