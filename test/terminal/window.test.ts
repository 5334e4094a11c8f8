import { describe, expect, it } from 'vitest';
import { takesProgress } from '../../src/terminal/capabilities.ts';
import { createWindow } from '../../src/terminal/terminal.ts';

/** A window, and all that was written of it. */
function opened(abilities: Partial<Parameters<typeof createWindow>[0]> = {}) {
  let written = '';
  const window = createWindow({ console: false, progress: true, multiplexer: undefined, ...abilities }, (bytes) => {
    written += bytes;
  });
  return {
    ...window,
    enter: () => {
      written += window.enter();
    },
    leave: () => {
      written += window.leave();
    },
    /** The bytes since they were last taken. */
    taken: () => {
      const bytes = written;
      written = '';
      return bytes;
    },
  };
}

describe('the title of the window', () => {
  it('is written when it changes, and the old one comes back at the end', () => {
    const window = opened();
    window.setTitle('skydeck work');
    expect(window.taken()).toBe('');
    window.enter();
    window.enter();
    expect(window.taken()).toBe('\x1b[22;2t\x1b]2;skydeck work\x07');
    window.setTitle('skydeck work');
    window.setTitle('skydeck work: 4 critical');
    expect(window.taken()).toBe('\x1b]2;skydeck work: 4 critical\x07');
    window.leave();
    window.leave();
    window.setTitle('skydeck work: 5 critical');
    expect(window.taken()).toBe('\x1b[23;2t');
    window.enter();
    expect(window.taken()).toBe('\x1b[22;2t\x1b]2;skydeck work: 5 critical\x07');
  });

  it('carries no control character', () => {
    const window = opened();
    window.enter();
    window.taken();
    window.setTitle(`a\x07b\x1b\\c\x9cd\n${'x'.repeat(1000)}`);
    const [, title = ''] = /^\x1b\]2;(.*)\x07$/s.exec(window.taken()) ?? [];
    expect(title).toMatch(/^abcd? ?/);
    expect(title).not.toMatch(/[\x00-\x1f\x7f-\x9f]/);
    expect(title.length).toBeLessThan(130);
  });

  it('is that of the pane in tmux, and of the terminal around screen', () => {
    const [tmux, screen] = [opened({ multiplexer: 'tmux' }), opened({ multiplexer: 'screen' })];
    for (const window of [tmux, screen]) {
      window.setTitle('t');
      window.enter();
      window.leave();
    }
    expect(tmux.taken()).toBe('\x1b[22;2t\x1b]2;t\x07\x1b[23;2t');
    expect(screen.taken()).toBe('\x1bP\x1b[22;2t\x1b]2;t\x07\x1b\\\x1bP\x1b[23;2t\x1b\\');
  });

  it('is never sent to a console', () => {
    const window = opened({ console: true });
    window.setTitle('t');
    window.setProgress(5);
    window.enter();
    window.setTitle('u');
    window.leave();
    expect(window.taken()).toBe('');
  });
});

describe('progress on the tab', () => {
  it('is written when it changes, taken away at the end and shown again afterwards', () => {
    const window = opened();
    window.enter();
    window.taken();
    window.setProgress(10);
    window.setProgress(10);
    window.setProgress('busy');
    window.setProgress('failed');
    expect(window.taken()).toBe('\x1b]9;4;1;10\x1b\\\x1b]9;4;3\x1b\\\x1b]9;4;2;100\x1b\\');
    window.leave();
    expect(window.taken()).toBe('\x1b]9;4;0\x1b\\\x1b[23;2t');
    window.enter();
    expect(window.taken()).toBe('\x1b[22;2t\x1b]9;4;2;100\x1b\\');
    window.setProgress(undefined);
    expect(window.taken()).toBe('\x1b]9;4;0\x1b\\');
    window.leave();
    expect(window.taken()).toBe('\x1b[23;2t');
  });

  it('is sent only to terminals that are known to show it', () => {
    const window = opened({ progress: false });
    window.enter();
    window.setProgress(10);
    window.leave();
    expect(window.taken()).not.toContain('\x1b]9');
  });

  it.each<[Record<string, string>, boolean]>([
    [{}, false],
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM: 'xterm-kitty' }, false],
    [{ WT_SESSION: '1' }, true],
    [{ WT_SESSION: '1', TMUX: '/tmp/x' }, false],
    [{ ConEmuANSI: 'ON' }, true],
    [{ TERM: 'xterm-ghostty' }, true],
    [{ TERM_PROGRAM: 'ghostty', STY: '1' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.5.14' }, false],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '3.6.6' }, true],
    [{ TERM_PROGRAM: 'iTerm.app', TERM_PROGRAM_VERSION: '4.0' }, true],
    [{ TERM_PROGRAM: 'iTerm.app' }, false],
    [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20240203-110809-5046fc22' }, false],
    [{ TERM_PROGRAM: 'WezTerm', TERM_PROGRAM_VERSION: '20250301-1-x' }, true],
    [{ TERM_PROGRAM: 'mintty', TERM_PROGRAM_VERSION: '3.4.2' }, true],
    [{ KONSOLE_VERSION: '230804' }, false],
    [{ KONSOLE_VERSION: '250400' }, true],
    [{ VTE_VERSION: '7600' }, false],
    [{ VTE_VERSION: '8000' }, true],
  ])('%j: %s', (env, takes) => {
    expect(takesProgress(env)).toBe(takes);
  });
});
