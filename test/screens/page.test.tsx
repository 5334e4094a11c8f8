import { stripVTControlCharacters } from 'node:util';
import { Box, Text } from 'ink';
import { render } from 'ink-testing-library';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyboardProvider, useSaid } from '../../src/screens/keyboard.tsx';
import { Page } from '../../src/screens/page/Page.tsx';
import { PromptLine } from '../../src/screens/page/Prompt.tsx';
import type { PageLine } from '../../src/screens/page/usePage.ts';
import { createMouse, MouseContext, MouseKeys } from '../../src/screens/terminal/mouse.tsx';
import { bytesOf } from '../keys.ts';

const screens: { unmount: () => void }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  for (const screen of screens.splice(0)) screen.unmount();
});

const rested = () => vi.advanceTimersByTimeAsync(100);

const Said = () => <Text>{useSaid()}</Text>;

function open(
  lines: readonly PageLine[],
  { height = 5, startsAtEnd }: { height?: number; startsAtEnd?: boolean } = {},
) {
  const mouse = createMouse();
  const opened: (string | undefined)[] = [];
  const draw = (shown: readonly PageLine[]) => (
    <KeyboardProvider>
      <MouseContext value={mouse}>
        <MouseKeys />
        <Page
          layer="journal"
          title="Notices"
          none="Nothing is here."
          lines={shown}
          startsAtEnd={startsAtEnd}
          keys={(current) => ({ open: () => void opened.push(current) })}
          width={40}
          height={height}
        />
        <Said />
      </MouseContext>
    </KeyboardProvider>
  );
  const screen = render(draw(lines));
  screens.push(screen);
  return {
    opened,
    lines: () => screen.lastFrame()?.split('\n') ?? [],
    press: async (...names: readonly string[]) => {
      for (const name of names) {
        screen.stdin.write(bytesOf(name));
        await rested();
      }
    },
    click: async (row: number) => {
      mouse.take({ action: 'press', row, column: 2 });
      await rested();
    },
    show: async (shown: readonly PageLine[]) => {
      screen.rerender(draw(shown));
      await rested();
    },
  };
}

/** An item of two lines. */
const item = (id: string): readonly PageLine[] => [
  { id, text: (isCurrent) => `${isCurrent ? '>' : ' '} ${id}` },
  `  more of ${id}`,
];

test('lines without ids scroll', async () => {
  const page = open(['one', 'two', 'three', 'four', 'five', 'six']);
  expect(page.lines()[0]).toMatch(/─ 1–4 of 6 {2}↓ 2 ─$/);
  await page.press('pageDown');
  expect(page.lines().slice(1, 5)).toEqual(['three', 'four', 'five', 'six']);
  await page.press('down');
  expect(page.lines().at(-1)).toBe('Nothing is below.');
});

test('the cursor moves over items, and each is in sight as a whole', async () => {
  const page = open(['a', 'b', 'c', 'd'].flatMap(item));
  expect(page.lines()[0]).toMatch(/─ 1–2 of 4 {2}↓ 2 ─$/);
  await page.press('down', 'down');
  expect(page.lines()[0]).toMatch(/─ ↑ 1 {2}2–3 of 4 {2}↓ 1 ─$/);
  expect(page.lines().slice(1, 5)).toEqual(['  b', '  more of b', '> c', '  more of c']);
  await page.press('enter', 'pageDown', 'enter', 'g', 'enter');
  expect(page.opened).toEqual(['c', 'd', 'a']);
});

test('below a heading the position counts items as well, and back at the first the heading is in sight', async () => {
  const page = open(['Ended', ...['a', 'b', 'c', 'd'].flatMap(item)]);
  expect(page.lines()[0]).toMatch(/─ 1–1 of 4 {2}↓ 3 ─$/);
  await page.press('down', 'down');
  expect(page.lines()[0]).toMatch(/─ ↑ 1 {2}2–3 of 4 {2}↓ 1 ─$/);
  await page.press('g');
  expect(page.lines().slice(1, 3)).toEqual(['Ended', '> a']);
});

test('where the item under the cursor goes, the cursor stays in its place', async () => {
  const page = open(['a', 'b', 'c'].flatMap(item));
  await page.press('down');
  await page.show(['a', 'c'].flatMap(item));
  expect(page.lines()[3]).toBe('> c');
  await page.show([]);
  expect(page.lines()[1]).toBe('   Nothing is here.');
});

test('a click moves the cursor to the item of the line, a second one opens it', async () => {
  const page = open(['a', 'b', 'c'].flatMap(item));
  await page.click(4);
  expect([page.lines()[3], page.opened]).toEqual(['> b', []]);
  await page.click(3);
  expect(page.opened).toEqual(['b']);
});

test('the end of what grows stays in sight until somebody scrolls, and again once they are back there', async () => {
  const page = open(['one', 'two', 'three', 'four', 'five'], { startsAtEnd: true });
  await page.show(['one', 'two', 'three', 'four', 'five', 'six']);
  expect(page.lines()[4]).toBe('six');
  await page.press('up');
  await page.show(['one', 'two', 'three', 'four', 'five', 'six', 'seven']);
  expect(page.lines()[4]).toBe('five');
  await page.press('end');
  await page.show(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']);
  expect(page.lines()[4]).toBe('eight');
});

test('a text that is longer than its line shows its end, and nothing of it stands on the line below', () => {
  const screen = render(
    <KeyboardProvider>
      <Box flexDirection="column">
        <PromptLine label="filter: " value="status:running tag:web vcpu>1" change={() => true} width={24} />
        <Text>below</Text>
      </Box>
    </KeyboardProvider>,
  );
  screens.push(screen);
  const [first = '', ...others] = stripVTControlCharacters(screen.lastFrame() ?? '').split('\n');
  expect(first).toMatch(/^filter: .*vcpu>1/);
  expect(others).toEqual(['below']);
});
