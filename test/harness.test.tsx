import { Box, render, Text, useApp, useInput, usePaste, useWindowSize } from 'ink';
import { useState } from 'react';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { colourInk, openScreen } from './screen.ts';
import { openPty } from './terminal/pty.ts';

/** Shows the size and the last keys it got, so that a test sees exactly what arrived. */
function Echo() {
  const { exit } = useApp();
  const { columns, rows } = useWindowSize();
  const [got, setGot] = useState<readonly string[]>([]);
  const add = (what: string) => setGot((before) => [...before, what]);
  useInput((input, key) => {
    if (input === 'q') return exit();
    const pressed = Object.entries(key).flatMap(([name, down]) => (down === true ? [name] : []));
    add([...pressed, input.trimEnd()].filter(Boolean).join('-') || 'space');
  });
  usePaste((text) => add(`paste<${text.replaceAll('\n', '/')}>`));
  return (
    <Box flexDirection="column">
      <Text>
        {columns}×{rows}
      </Text>
      <Text color="red" bold>
        red
      </Text>
      <Text inverse>bar</Text>
      <Text>got: {got.join(' ')};</Text>
    </Box>
  );
}

beforeAll(() => colourInk(1));

let stop: (() => void) | undefined;
afterEach(() => {
  stop?.();
  stop = undefined;
});

function openEcho(columns = 90, rows = 10) {
  const screen = openScreen({ columns, rows });
  const { stdin, stdout } = screen;
  const app = render(<Echo />, { stdin, stdout, interactive: true, patchConsole: false, alternateScreen: true });
  stop = app.unmount;
  return { screen, app };
}

describe('a screen in this process', () => {
  test('shows what is drawn, in its size and colours', async () => {
    const { screen } = openEcho();
    await screen.waitFor('got: ;');
    expect(screen.line(0)).toBe('90×10');
    expect(screen.text().split('\n')).toHaveLength(10);
    expect(screen.styleAt(1, 0)).toMatchObject({ char: 'r', fg: 1, bg: 'default', bold: true, inverse: false });
    expect(screen.styleAt(2, 0)).toMatchObject({ char: 'b', fg: 'default', bold: false, inverse: true });
    expect(screen.bytes).toContain('\u001b[?1049h');
    expect(screen.terminal.buffer.active.type).toBe('alternate');
  });

  test('keys arrive one by one, also before anyone listens', async () => {
    const { screen } = openEcho();
    await screen.press('up', 'down', 'a', 'B', 'enter', 'tab', 'shift-tab', 'ctrl-s', 'pageDown', 'alt-x');
    await screen.waitFor('got: upArrow downArrow a shift-B return tab shift-tab ctrl-s pageDown');
    await screen.waitFor('meta-x;');
  });

  test('a lone escape is an escape, whatever follows', async () => {
    const { screen } = openEcho();
    await screen.press('esc', 'x', 'esc', 'esc', 'down');
    await screen.waitFor(/got: (\S*escape\S*) x \1 \1 downArrow;/);
  });

  test('typed characters and pasted lines arrive whole', async () => {
    const { screen } = openEcho();
    await screen.type('wörd 漢');
    await screen.paste('two\nlines');
    await screen.waitFor('got: w ö r d space 漢 paste<two/lines>;');
  });

  test('another size is told and drawn', async () => {
    const { screen } = openEcho();
    await screen.waitFor('90×10');
    screen.resize(30, 8);
    await screen.waitFor('30×8');
    expect(screen.text().split('\n')).toHaveLength(8);
  });

  test('ends with the program', async () => {
    const { screen, app } = openEcho();
    await screen.press('q');
    await app.waitUntilExit();
    expect(screen.stdin.isRaw).toBe(false);
    expect(screen.bytes).toContain('\u001b[?1049l');
  });

  test('a frame that never comes is an error that shows the last one', async () => {
    const { screen } = openEcho();
    await screen.waitFor('90×10');
    await expect(screen.waitFor(/never/, { timeoutMs: 30 })).rejects.toThrow(
      /within 30 ms; wanted \/never\/[\s\S]*90×10/,
    );
  });

  test('a mistyped key name is an error', async () => {
    const screen = openScreen({ columns: 10, rows: 2 });
    await expect(screen.press('retrun')).rejects.toThrow('no key is called retrun');
  });
});

describe('a program in a pseudo-terminal', () => {
  const node = process.execPath;
  const echo = `process.stdin.setRawMode(true); const size = () => process.stdout.columns + 'x' + process.stdout.rows;
    console.log('ready ' + size()); process.stdout.on('resize', () => console.log('now ' + size()));
    process.stdin.on('data', d => d.toString() === 'q' ? process.exit(3) : console.log(JSON.stringify(d.toString())))`;

  test('reads keys, draws, is resized and ends with its code', async () => {
    const screen = openPty(node, ['-e', echo], { columns: 50, rows: 12 });
    await screen.waitFor('ready 50x12');
    await screen.press('esc');
    await expect(screen.press('down')).rejects.toThrow('Wait for what the escape does');
    await screen.waitFor('"\\u001b"');
    await screen.press('down');
    await screen.waitFor('"\\u001b"\n"\\u001b[B"');
    screen.resize(40, 10);
    await screen.waitFor('now 40x10');
    await screen.press('q');
    expect(await screen.exit).toEqual({ code: 3, signal: 0 });
  });

  test('is told when a signal ended it, and who waits fails at once', async () => {
    const screen = openPty(node, ['-e', echo]);
    await screen.waitFor('ready 100x30');
    const never = expect(screen.waitFor('never', { timeoutMs: 60_000 })).rejects.toThrow('the program ended');
    screen.kill('SIGTERM');
    expect(await screen.exit).toEqual({ code: 0, signal: 15 });
    await never;
  });
});

test('whatever a test waits for, it looks for longer than a second', async () => {
  // The framework looks each 50 ms.
  const looks = { waitFor: 0, waitUntil: 0, poll: 0 };
  await Promise.all([
    vi.waitFor(() => expect(++looks.waitFor).toBe(30)),
    vi.waitUntil(() => ++looks.waitUntil === 30),
    expect.poll(() => ++looks.poll).toBe(30),
  ]);
});
