import { describe, expect, it } from 'vitest';
import { createPainter } from '../../src/terminal/painter.ts';
import { linked } from '../../src/text/escapes.ts';

const size = { columns: 30, rows: 2 };
const open = '\x1b]8;;https://a.example/\x1b\\';
const close = '\x1b]8;;\x1b\\';

describe('a link', () => {
  it('is written around its text alone, and is closed before the frame ends', () => {
    const painter = createPainter();
    const bytes = painter.paint(`host ${linked('a.example   ', 'https://a.example/')}x\n`, size);
    expect(bytes).toContain(`${open}a.example${close}`);
    expect(bytes.split('\x1b]8;;')).toHaveLength(3);
    expect(painter.paint(`host ${linked('a.example   ', 'https://a.example/')}x\n`, size)).toBe('');
    // Another text beside it leaves the link alone.
    expect(painter.paint(`host ${linked('a.example   ', 'https://a.example/')}y\n`, size)).not.toContain('\x1b]8');
    expect(painter.paint('host a.example   y\n', size)).toMatch(/^[^\x07]*a\.example/);
    const last = createPainter().paint(`\x1b[31mred ${linked('to the end', 'https://a.example/')}`, size);
    expect(last.lastIndexOf(close)).toBeGreaterThan(last.lastIndexOf(open));
  });

  it('keeps the colours of its text', () => {
    const bytes = createPainter().paint(`\x1b[31m${linked('red', 'https://a.example/')} on\x1b[39m`, size);
    expect(bytes).toContain(`${open}\x1b[31mred${close}`);
  });

  it('is plain text on a console', () => {
    const bytes = createPainter({ isConsole: true }).paint(linked('a.example', 'https://a.example/'), size);
    expect(bytes).toContain('a.example');
    expect(bytes).not.toContain('\x1b]');
  });

  it('is none where it came with a text', () => {
    const bytes = createPainter().paint('\x1b]8;;https://evil.example/\x1b\\text\x1b]8;;\x1b\\', size);
    expect(bytes).toContain('text');
    expect(bytes).not.toContain('\x1b]');
  });

  it('is none where its address has control characters', () => {
    const bytes = createPainter().paint('\x1b]8;;https://a\x9b.example\x07text\x1b]8;;\x07', size);
    expect(bytes).not.toContain('\x9b');
    expect(bytes).not.toContain('https://a');
  });
});
