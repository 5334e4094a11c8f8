import { describe, expect, it } from 'vitest';
import { capabilitiesOf } from '../../src/terminal/capabilities.ts';

const glyphs = (env: Record<string, string>) => capabilitiesOf(env, {}).glyphs;

describe('capabilities', () => {
  it('follow the first locale variable that is set', () => {
    expect(glyphs({ LANG: 'en_US.UTF-8' })).toBe('unicode');
    expect(glyphs({ LANG: 'de_DE.utf8' })).toBe('unicode');
    expect(glyphs({ LANG: 'C' })).toBe('ascii');
    expect(glyphs({ LC_ALL: 'C', LC_CTYPE: 'C.UTF-8', LANG: 'C.UTF-8' })).toBe('ascii');
    expect(glyphs({ LC_ALL: '', LC_CTYPE: 'C.UTF-8', LANG: 'C' })).toBe('unicode');
    expect(glyphs({})).toBe('unicode');
  });

  it('expect little of consoles', () => {
    expect(glyphs({ TERM: 'linux', LANG: 'C.UTF-8' })).toBe('ascii');
    expect(glyphs({ TERM: 'vt100' })).toBe('ascii');
    expect(capabilitiesOf({ TERM: 'dumb' }, {}).dumb).toBe(true);
    expect(capabilitiesOf({ TERM: 'xterm' }, {})).toMatchObject({ dumb: false, console: false });
    for (const TERM of ['linux', 'linux-16color', 'vt100', 'vt220']) {
      expect(capabilitiesOf({ TERM }, {}).console).toBe(true);
    }
  });

  it.each([
    ['0;15', true],
    ['0;default;7', true],
    ['15;0', false],
    ['7;8', false],
    ['15;default', false],
    ['', false],
  ])('tell by COLORFGBG=%s whether the background is light', (COLORFGBG, isLight) => {
    expect(capabilitiesOf({ COLORFGBG }, {}).isLight).toBe(isLight);
  });

  it('tell the multiplexer, size and colours', () => {
    const stdout = { columns: 100, rows: 30, getColorDepth: (env: object) => ('COLORTERM' in env ? 24 : 4) };
    expect(capabilitiesOf({ TMUX: 'x', COLORTERM: 'truecolor' }, stdout)).toMatchObject({
      multiplexer: 'tmux',
      colorDepth: 8,
      columns: 100,
      rows: 30,
    });
    expect(capabilitiesOf({ STY: 'x' }, stdout)).toMatchObject({ multiplexer: 'screen', colorDepth: 4 });
    expect(capabilitiesOf({}, {}).colorDepth).toBe(1);
  });

  it.each([
    [{ TERM: 'xterm-256color' }, 8, 8],
    [{ TERM: 'xterm-256color' }, 4, 8],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 24, 24],
    [{ TERM: 'xterm-direct' }, 4, 24],
    [{ TERM: 'xterm-kitty' }, 4, 24],
    [{ TERM: 'xterm' }, 4, 4],
    // A multiplexer inherits COLORTERM from a terminal that may no longer be the one outside.
    [{ TERM: 'tmux-256color', COLORTERM: 'truecolor' }, 24, 8],
    [{ TERM: 'screen', TMUX: '/tmp/tmux', COLORTERM: 'truecolor' }, 24, 8],
    [{ TERM: 'screen', STY: '1', COLORTERM: 'truecolor' }, 24, 4],
    [{ TERM: 'screen.xterm-256color', STY: '1' }, 24, 8],
    [{ TERM: 'linux', COLORTERM: 'truecolor' }, 24, 4],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 1, 1],
    [{ TERM: 'dumb' }, 1, 1],
  ])('%j, where Node says %i bits, has %i bits of colour', (env, said, depth) => {
    expect(capabilitiesOf(env, { getColorDepth: () => said }).colorDepth).toBe(depth);
  });
});
