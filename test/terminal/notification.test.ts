import { describe, expect, it } from 'vitest';
import { bell, notificationSequence } from '../../src/terminal/capabilities.ts';
import { screenWriter } from '../../src/terminal/screenWriter.ts';
import { Emulator } from '../emulator.ts';
import { openScreen } from '../screen.ts';

describe('notifications', () => {
  it('are one OSC 9 and one OSC 777', () => {
    expect(notificationSequence('Skydeck', 'web-1 is stopped', {})).toBe(
      '\x1b]9;Skydeck: web-1 is stopped\x07\x1b]777;notify;Skydeck;web-1 is stopped\x07',
    );
  });

  it('carry no control character, and no semicolon that would begin another part', () => {
    const sequence = notificationSequence('Skydeck', 'a\x1b]0;b\x07\x9cc\nd;e\ud800', {});
    expect(sequence).toBe('\x1b]9;Skydeck: ac d,e\ufffd\x07\x1b]777;notify;Skydeck;ac d,e\ufffd\x07');
    expect(notificationSequence('Skydeck', 'x'.repeat(10_000), {}).length).toBeLessThan(600);
  });

  it('go through tmux and screen', () => {
    expect(notificationSequence('S', 'x', { TMUX: '/tmp/tmux-0/default,1,0' })).toBe(
      '\x1bPtmux;\x1b\x1b]9;S: x\x07\x1b\\\x1bPtmux;\x1b\x1b]777;notify;S;x\x07\x1b\\',
    );
    expect(notificationSequence('S', 'x', { STY: '12.pts-0.host' })).toBe(
      '\x1bP\x1b]9;S: x\x07\x1b\\\x1bP\x1b]777;notify;S;x\x07\x1b\\',
    );
  });

  it('are left out on a console, which would print them', () => {
    expect(notificationSequence('S', 'x', { TERM: 'linux' })).toBe('');
  });

  it('are understood by a terminal and leave the screen alone', async () => {
    const glass = new Emulator(80, 24);
    const heard: string[] = [];
    for (const code of [9, 777]) {
      glass.terminal.parser.registerOscHandler(code, (data) => {
        heard.push(`${code}: ${data}`);
        return true;
      });
    }
    glass.write(`${notificationSequence('Skydeck', 'web-1 is stopped', {})}visible`);
    await glass.waitFor('visible');
    expect(heard).toEqual(['9: Skydeck: web-1 is stopped', '777: notify;Skydeck;web-1 is stopped']);
    expect(glass.line(0)).toBe('visible');
  });
});

describe('the bell', () => {
  it('rings between two frames and changes nothing on the screen', async () => {
    const screen = openScreen({ columns: 80, rows: 24 });
    let rings = 0;
    screen.terminal.onBell(() => {
      rings++;
    });
    const { stdout } = screenWriter(screen.stdout as never);
    stdout.write('one\ntwo');
    stdout.write(bell);
    stdout.write('one\nthree');
    await screen.waitFor('three');
    expect(rings).toBe(1);
    expect([screen.line(0), screen.line(1)]).toEqual(['one', 'three']);
  });
});
