import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { askingAt } from '../../src/program/plans/secrets.ts';

/** A terminal as input, and what is written beside it. */
function openDesk() {
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
  stderr.resume();
  return { stdin, stderr } as never as Pick<NodeJS.Process, 'stdin' | 'stderr'> & { stdin: PassThrough };
}

describe.each([
  ['shown', false],
  ['hidden', true],
])('an answer that is %s', (_, isHidden) => {
  test('is kept in order where a part of it was typed before its question', async () => {
    const desk = openDesk();
    const asking = askingAt(desk, isHidden);
    const first = asking.ask('First: ');
    desk.stdin.write('one\rcorrect ');
    expect(await first).toBe('one');
    const second = asking.ask('Second: ');
    desk.stdin.write('horse\r');
    expect(await second).toBe('correct horse');
    asking.close();
  });
});
