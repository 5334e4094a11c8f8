import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import build, { bundle } from '../test/build.ts';
import { openPty, type Pty } from '../test/terminal/pty.ts';
import { cellsOf, svgOf } from './svg.ts';

/** Columns and rows of a terminal, in cells. */
export interface TerminalSize {
  columns: number;
  rows: number;
}

/** Opens the built program on the demo API in a pseudo-terminal, with a temporary home that `close` removes. */
export async function openDemo(
  size: TerminalSize,
  args: readonly string[] = [],
): Promise<Pty & { close(): Promise<void> }> {
  await build();
  const home = mkdtempSync(join(tmpdir(), 'skydeck-frame-'));
  const env = { PATH: process.env.PATH, HOME: home, LANG: 'C.UTF-8', COLORTERM: 'truecolor' };
  const pty = openPty(process.execPath, [bundle, '--demo', ...args], { ...size, env });
  return Object.assign(pty, {
    close: async () => {
      pty.kill('SIGTERM');
      await pty.exit;
      rmSync(home, { recursive: true, force: true });
    },
  });
}

/** A screen is settled when nothing below the header has changed for so long. */
const settledMs = 1200;

/** Waits until the screen is settled, at most half a minute: a job in progress changes it all the time. */
export async function settled(pty: Pty): Promise<void> {
  const body = () => pty.text().split('\n').slice(1).join('\n');
  const end = Date.now() + 30_000;
  while (Date.now() < end) {
    const before = body();
    const changed = pty.waitFor(() => body() !== before, { timeoutMs: settledMs });
    if (await changed.then(() => false).catch(() => true)) return;
  }
}

/** Draws the screen as an SVG picture. */
export const pictureOf = (pty: Pty, title: string): string => svgOf(cellsOf(pty), title);
