import { Text } from 'ink';
import { render } from 'ink-testing-library';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeyboardProvider, useKeys, useSaid, useShownKeys } from '../../src/screens/keyboard.tsx';
import { callsDuring } from '../calls.ts';
import { bytesOf } from '../keys.ts';

/** The footer in words: what was said, or the names of the keys. */
function Footer() {
  const said = useSaid();
  const { keys } = useShownKeys();
  return <Text>{said || keys.map(({ name }) => name).join(' ')}</Text>;
}

function Place({ compare }: { compare: string | (() => unknown) }) {
  const [moves, setMoves] = useState(0);
  useKeys('everywhere', { help: () => {}, palette: () => {}, refresh: () => 'Reading …', back: 'This is the first.' });
  useKeys('list', { compare, down: () => setMoves(moves + 1), create: 'Read-only.' });
  return <Text>{`moves ${moves}`}</Text>;
}

/** A dialog in which one key only says why, and another is named first. */
function Dialog() {
  const refuses = 'Nothing is sent.';
  useKeys(
    'list',
    { open: () => {}, sort: () => {}, create: Object.assign(() => refuses, { refuses }) },
    { lead: 'sort' },
  );
  useKeys('detail', { edit: () => {} });
  useKeys('conversation', { reply: () => {} });
  return <Text>dialog</Text>;
}

function Input() {
  useKeys('line', { accept: () => {} }, { typing: true });
  return <Text>input</Text>;
}

/** Presses keys and gives the last line. */
function shown(compare: string | (() => unknown), input = false) {
  const screen = render(
    <KeyboardProvider>
      <Place compare={compare} />
      {input ? <Input /> : null}
      <Footer />
    </KeyboardProvider>,
  );
  const frames = () => screen.frames.length;
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) {
      screen.stdin.write(bytesOf(key));
      await vi.advanceTimersByTimeAsync(100);
    }
    return screen.lastFrame()?.split('\n').at(-1);
  };
  return { ...screen, press, frames };
}

test('the keys are worked out once for each layer that comes, and once for those of the user', async () => {
  const calls = await callsDuring(async () => shown('Nothing is marked.', true).unmount());
  // Three layers come, and go one after the other.
  expect(calls('shownOf', 'keys/keyboard.ts')).toBe(3 + 1 + 3);
});

describe('a key that does nothing', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('says the reason that its layer gives, and is not shown as a key', async () => {
    const { press } = shown('Nothing is marked.');
    expect(await press('j')).toBe('down palette help refresh');
    expect(await press('v')).toBe('Nothing is marked.');
    expect(await press('[')).toBe('This is the first.');
  });

  test('that refuses is not offered, and does not reach the layers below; the leading key is named first', async () => {
    const screen = render(
      <KeyboardProvider>
        <Dialog />
        <Footer />
      </KeyboardProvider>,
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(screen.lastFrame()).toContain('sort open reply edit');
    screen.stdin.write('n');
    await vi.advanceTimersByTimeAsync(100);
    expect(screen.lastFrame()).toContain('Nothing is sent.');
  });

  test('says so where no layer knows it, and where the keys are shown', async () => {
    const { press } = shown('Nothing is marked.');
    expect(await press('z')).toBe('"z" does nothing here; ? shows the keys.');
    expect(await press('ctrl-y')).toBe('"ctrl-y" does nothing here; ? shows the keys.');
  });

  test('is silent again after a while, and with the next key that does something', async () => {
    const { press } = shown('Nothing is marked.');
    await press('v');
    expect(await press('j')).toBe('down palette help refresh');
    expect(await press('v')).toBe('Nothing is marked.');
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await press('j')).toBe('down palette help refresh');
  });

  test('says it once when it is held, for as long as it is held', async () => {
    const { press, frames } = shown('Nothing is marked.');
    await press('v');
    const before = frames();
    expect(await press(...Array.from({ length: 60 }, () => 'v'))).toBe('Nothing is marked.');
    expect(frames()).toBe(before);
  });

  test('a key that came to nothing says what it answers', async () => {
    const { press } = shown(() => 'There is one server only.');
    expect(await press('v')).toBe('There is one server only.');
    expect(await press('ctrl-r')).toBe('Reading …');
  });

  test('says nothing of what one types', async () => {
    const { press } = shown('Nothing is marked.', true);
    expect(await press('v', 'z', 'left', 'backspace')).toBe('accept');
    expect(await press('ctrl-y')).toBe('"ctrl-y" does nothing here.');
  });
});
