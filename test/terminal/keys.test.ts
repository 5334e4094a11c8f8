import { EventEmitter } from 'node:events';
import type { ReadStream } from 'node:tty';
import { afterEach, expect, it, vi } from 'vitest';
import { keyByKey } from '../../src/terminal/keys.ts';

/** Reads some chunks that have all arrived, turn by turn, until the last key is there. */
async function turnsOf(
  chunks: string[],
  keys: number,
  isReport: (input: string) => boolean = () => false,
): Promise<string[][]> {
  const stdin = Object.assign(new EventEmitter(), { isTTY: true, read: () => chunks.shift() ?? null });
  const input = keyByKey(stdin as unknown as ReadStream, isReport);
  const turns: string[][] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  input.on('readable', () => {
    const turn: string[] = [];
    for (let key = input.read(); key !== null; key = input.read()) turn.push(String(key));
    if (turn.length > 0) turns.push(turn);
    if (turns.flat().length === keys) resolve();
  });
  stdin.emit('readable');
  await promise;
  return turns;
}

it.each([
  ['jjj', ['j', 'j', 'j']],
  ['\x1b[B\x1b[B\x1bOA', ['\x1b[B', '\x1b[B', '\x1bOA']],
  ['a\x1b[1;5Cb\r', ['a', '\x1b[1;5C', 'b', '\r']],
  ['wörd 漢', ['w', 'ö', 'r', 'd', ' ', '漢']],
  ['\x13\x10\x7f', ['\x13', '\x10', '\x7f']],
  // A lone escape, as the kitty protocol spells it: Ink need not wait whether it begins something.
  ['\x1b', ['\x1b[27u']],
  ['\x1bx\x1b\x1b[A', ['\x1bx', '\x1b[27u', '\x1b[A']],
  ['\x1b[', ['\x1b[']],
  ['\x1b]x\x1b[[Ay\x1b[3$\x1bO5A', ['\x1b]', 'x', '\uf701', 'y', '\x1b[3$', '\x1bO5A']],
  ['\x1bOP\x1b[11~\x1b[[B\x1b[24~', ['\uf701', '\uf701', '\uf702', '\uf70c']],
  ['\x1b[105;5u\x1b[13;2u', ['\x1b[105;5u', '\x1b[13;2u']],
  ['x\x1b[200~two\nlines\x1b[A\x1b[201~y', ['x', '\x1b[200~two\nlines\x1b[A\x1b[201~', 'y']],
  ['\x1b[200~not yet whole', ['\x1b[200~not yet whole']],
  ['a line that nobody has typed so fast, q', ['a line that nobody has typed so fast, q']],
])('%j is handed over as %j, each in a turn of its own', async (chunk, keys) => {
  expect(await turnsOf([chunk], keys.length)).toEqual(keys.map((key) => [key]));
});

it('takes out what the terminal says', async () => {
  const told: string[] = [];
  const turns = await turnsOf(['a\x1b[Ob', '\x1b[I', 'c'], 3, (input) => {
    const isReport = input.startsWith('\x1b');
    if (isReport) told.push(input);
    return isReport;
  });
  expect(turns.flat()).toEqual(['a', 'b', 'c']);
  expect(told).toEqual(['\x1b[O', '\x1b[I']);
});

it('waits for the rest of a key that comes in parts, and drops one whose rest never comes', async () => {
  expect((await turnsOf(['\x1b', '[1;', '5C', 'x'], 2)).flat()).toEqual(['\x1b[1;5C', 'x']);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, got } = sending();
  await send('\x1b[1;5');
  vi.advanceTimersByTime(1000);
  await send('x');
  await vi.waitFor(() => expect(got()).toBe('x'), { timeout: 10_000 });
});

it('keeps the order of chunks', async () => {
  expect((await turnsOf(['ab', '\x1b[B', 'c'], 4)).flat()).toEqual(['a', 'b', '\x1b[B', 'c']);
});

it('tells of a key once', async () => {
  const chunks = ['j'];
  const stdin = Object.assign(new EventEmitter(), { isTTY: true, read: () => chunks.shift() ?? null });
  const input = keyByKey(stdin as unknown as ReadStream, () => false);
  let told = 0;
  input.on('readable', () => {
    told++;
    while (input.read() !== null);
  });
  stdin.emit('readable');
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBe(1);
  // A chunk that comes in the turn of a key is told of after it.
  chunks.push('a');
  stdin.emit('readable');
  chunks.push('b');
  stdin.emit('readable');
  await new Promise((resolve) => setImmediate(resolve));
  expect(told).toBe(4);
  expect(chunks).toEqual([]);
});

/** An input that chunks are sent to, and all that is read of it. */
function sending() {
  const chunks: string[] = [];
  const stdin = Object.assign(new EventEmitter(), { isTTY: true, read: () => chunks.shift() ?? null });
  const input = keyByKey(stdin as unknown as ReadStream, () => false);
  let got = '';
  input.on('readable', () => {
    for (let key = input.read(); key !== null; key = input.read()) got += key;
  });
  const send = async (...sent: string[]) => {
    for (const chunk of sent) {
      chunks.push(chunk);
      stdin.emit('readable');
    }
    await vi.waitFor(() => expect(chunks).toEqual([]), { timeout: 10_000 });
  };
  return { send, got: () => got };
}

afterEach(() => vi.useRealTimers());

it.each([[['\x1b[200~cut', ' off', '\x03']], [['\x1b[200~cut off\x03']]])(
  'ends a paste whose end never came at ctrl-c, which is then a key: %j',
  async (chunks) => {
    const { send, got } = sending();
    await send(...chunks);
    await vi.waitFor(() => expect(got()).toBe('\x1b[200~cut off\x1b[201~\x03'), { timeout: 10_000 });
  },
);

it.each([
  ['ctrl-c', '\x1b[99;5u'],
  ['escape', '\x1b[27u'],
])('ends it at %s as the kitty protocol spells it', async (_name, key) => {
  const { send, got } = sending();
  await send('\x1b[200~cut off', key);
  await vi.waitFor(() => expect(got()).toBe(`\x1b[200~cut off\x1b[201~${key}`), { timeout: 10_000 });
});

it('ends it at an escape alone, once that cannot be the begin of its end', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, got } = sending();
  await send('\x1b[200~cut off', '\x1b');
  expect(got()).not.toContain('\x1b[201~');
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(got()).toBe('\x1b[200~cut off\x1b[201~\x1b[27u'), { timeout: 10_000 });
});

it('leaves a paste whole whose end comes in two parts, the first of them an escape alone', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, got } = sending();
  await send('\x1b[200~whole', '\x1b');
  vi.advanceTimersByTime(900);
  await send('[201~', 'j');
  vi.advanceTimersByTime(20_000);
  await vi.waitFor(() => expect(got()).toBe('\x1b[200~whole\x1b[201~j'), { timeout: 10_000 });
});

it('is not kept open by single keys, which nobody pastes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, got } = sending();
  await send('\x1b[200~cut off');
  for (const key of ['q', '\x1b[A', 'q']) {
    vi.advanceTimersByTime(3_000);
    await send(key);
  }
  vi.advanceTimersByTime(1_001);
  // One key is read in each turn; waiting by the clock would move it.
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  expect(got()).toMatch(/^\x1b\[200~cut off.*\x1b\[201~$/s);
  await send('j');
  await vi.waitFor(() => expect(got()).toMatch(/\x1b\[201~j$/), { timeout: 10_000 });
});

it('leaves ctrl-c alone where a paste has ended, also in two parts', async () => {
  const { send, got } = sending();
  await send('\x1b[200~whole\x1b[20', '1~', '\x03');
  await vi.waitFor(() => expect(got()).toBe('\x1b[200~whole\x1b[201~\x03'), { timeout: 10_000 });
});

it('ends a paste of which nothing more comes', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { send, got } = sending();
  await send('\x1b[200~cut');
  vi.advanceTimersByTime(9_000);
  await send(' off');
  vi.advanceTimersByTime(9_000);
  expect(got()).not.toContain('\x1b[201~');
  vi.advanceTimersByTime(1_001);
  await vi.waitFor(() => expect(got()).toBe('\x1b[200~cut off\x1b[201~'), { timeout: 10_000 });
});
