import { stripVTControlCharacters } from 'node:util';
import { render } from 'ink-testing-library';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyboardProvider } from '../../src/screens/keyboard.tsx';
import { QuestionPane } from '../../src/screens/question/QuestionPane.tsx';
import { bytesOf } from '../keys.ts';

const screens: { unmount: () => void }[] = [];

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});

afterEach(() => {
  vi.useRealTimers();
  for (const screen of screens.splice(0)) screen.unmount();
});

const rows = (count: number) => Array.from({ length: count }, (_, index) => `row ${index + 1}`);

function ask(count: number, phrase?: string) {
  const agreed: boolean[] = [];
  const run = (isTyped: boolean) => {
    agreed.push(isTyped);
    return undefined;
  };
  const draw = (lines: readonly string[]) => (
    <KeyboardProvider>
      <QuestionPane
        title="Delete?"
        isDanger
        lines={lines}
        about={lines.join()}
        totals={['$5.00 a month']}
        phrase={phrase}
        agree={{ word: 'delete', run }}
        wayOut="Press enter or esc."
        cancel={() => {}}
        width={80}
        height={8}
      />
    </KeyboardProvider>
  );
  // The keyboard takes a key before the text field does, as in the program.
  const screen = render(<KeyboardProvider>{null}</KeyboardProvider>);
  screen.rerender(draw(rows(count)));
  screens.push(screen);
  const rested = () => vi.advanceTimersByTimeAsync(100);
  return {
    agreed,
    text: () => screen.lastFrame() ?? '',
    press: async (...keys: readonly string[]) => {
      for (const key of keys) {
        screen.stdin.write(bytesOf(key));
        await rested();
      }
    },
    show: async (other: number) => {
      screen.rerender(draw(rows(other)));
      await rested();
    },
  };
}

test('a question that fits is agreed to at once, and keeps its sum in sight', async () => {
  const question = ask(3);
  expect(question.text()).toMatch(/row 3[\s\S]*\$5\.00 a month\n/);
  await question.press('x');
  expect(question.text()).toContain('Press enter or esc.');
  await question.press('enter');
  expect(question.agreed).toEqual([false]);
});

test('one that does not fit is agreed to once its end has been on the screen, and again where it is about more', async () => {
  const question = ask(20);
  // It does not name the key that would not agree yet, and the one that goes on once.
  expect(question.text()).toMatch(/\d+ more below: pagedown the rest first/);
  expect(question.text().match(/pagedown/g)).toHaveLength(1);
  await question.press('x');
  expect(question.text()).toContain('The lines below have not been shown yet: press pagedown or end.');
  // The sentence itself covers a line, so that only one of two counts would be right.
  expect(question.text().match(/\d+ (?:lines|more) below/g)).toHaveLength(1);
  await question.press('enter');
  expect(question.text()).toContain('lines below have not been shown yet: press pagedown or end.');
  await question.press('end', 'up', 'enter');
  expect(question.agreed).toEqual([false]);
  await question.show(30);
  await question.press('enter');
  expect(question.agreed).toEqual([false]);
  // One sentence is enough of it.
  expect(question.text()).toContain('lines below have not been shown yet');
  expect(question.text()).not.toContain('the rest first');
  await question.press('up');
  expect(question.text()).toContain('the rest first');
});

test('a phrase is typed as it is shown', async () => {
  const question = ask(2, 'web-1');
  await question.press('enter');
  expect(question.text()).toContain('Type web-1 first');
  await question.press(...'Web-1', 'enter');
  expect(question.text()).toContain('"Web-1" does not match: type web-1, capitals as shown.');
  await question.press('ctrl-u', ...'web-1', 'enter');
  expect(question.agreed).toEqual([true]);
});

test.each([40, 47, 48, 62])('a phrase of %i letters is asked for on one line', (letters) => {
  const phrase = 'x'.repeat(letters);
  const lines = stripVTControlCharacters(ask(2, phrase).text()).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  expect(lines.some((line) => line.includes(`Type ${phrase} to confirm`))).toBe(true);
});
