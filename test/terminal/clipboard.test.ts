import { describe, expect, it } from 'vitest';
import { copySequence, maxCopyBytes } from '../../src/terminal/capabilities.ts';
import { Emulator } from '../emulator.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('copying', () => {
  it('writes one OSC 52 for the clipboard', () => {
    expect(copySequence('192.0.2.10', {})).toBe('\x1b]52;c;MTkyLjAuMi4xMA==\x07');
  });

  it('carries any text, as UTF-8', () => {
    const text = 'Grüße, 世界 🌍\n\x1b[31m\x07';
    expect(copySequence(text, {})).toBe(`\x1b]52;c;${base64(text)}\x07`);
  });

  it('is understood by a terminal', async () => {
    const glass = new Emulator(80, 24);
    const heard: string[] = [];
    glass.terminal.parser.registerOscHandler(52, (data) => {
      heard.push(data);
      return true;
    });
    glass.write(`${copySequence('copied', {})}visible`);
    await glass.waitFor('visible');
    expect(heard).toEqual([`c;${base64('copied')}`]);
    expect(glass.line(0)).toBe('visible');
  });

  it('goes to tmux and through it', () => {
    const plain = copySequence('x', {});
    expect(copySequence('x', { TMUX: '/tmp/tmux-0/default,1,0' })).toBe(
      `${plain}\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\`,
    );
  });

  it('goes through screen in pieces that it does not cut off', () => {
    const text = 'long '.repeat(1000);
    const sequence = copySequence(text, { STY: '12.pts-0.host' });
    const pieces = sequence.split('\x1b\\').slice(0, -1);
    for (const piece of pieces) {
      expect(piece.startsWith('\x1bP')).toBe(true);
      expect(piece.length).toBeLessThanOrEqual(256);
    }
    expect(pieces.map((piece) => piece.slice(2)).join('')).toBe(copySequence(text, {}));
  });

  it('takes as much as a terminal takes and refuses more with the way out', () => {
    expect(copySequence('x'.repeat(maxCopyBytes), {}).length).toBeLessThan(100_100);
    expect(() => copySequence('x'.repeat(maxCopyBytes + 1), {})).toThrow(
      'This text has 74995 bytes, and a terminal copies at most 74994; save it to a file instead.',
    );
    expect(() => copySequence('ü'.repeat(maxCopyBytes / 2 + 1), {})).toThrow(RangeError);
  });

  it('says so where there is no clipboard', () => {
    expect(() => copySequence('x', { TERM: 'linux' })).toThrow(
      'A linux terminal has no clipboard, so nothing was copied.',
    );
    expect(() => copySequence('x', { TERM: 'vt100' })).toThrow(RangeError);
  });
});
