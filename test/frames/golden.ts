import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { pictureFile, pictureSize, screens } from '../../scripts/screensPage.ts';
import { cellsOf, svgOf } from '../../scripts/svg.ts';
import type { Skydeck } from '../journeys/skydeck.ts';

/** Set to anything, the frames on the screen become the golden ones. */
const updating = Boolean(process.env.UPDATE_FRAMES);

/** A frame is taken as golden when nothing has changed for so many milliseconds. */
const restMs = 1500;

/** The speed of the API and the number of calls differ from run to run; the rest of the first line must not. */
const calls = /\s+\d+ ms[^\n]*?(\d\d:\d\d)$/m;

/** The frame on the screen without what differs from run to run. */
const frameOf = (skydeck: Skydeck): string => `${skydeck.text().replace(calls, '  … ms  $1').trimEnd()}\n`;

/** The frame on the screen as a picture, without what differs from run to run. */
function pictureOf(skydeck: Skydeck, title: string): string {
  const cells = cellsOf(skydeck);
  const told = calls.exec(skydeck.line(0));
  const shown = [...`… ms  ${told?.[1]}`.padStart(told?.[0].length ?? 0)];
  const dim = { fg: 8, bg: 'default', bold: false, dim: false, inverse: false, underline: false } as const;
  if (told) cells[0]?.splice(told.index, shown.length, ...shown.map((char) => ({ ...dim, char })));
  return svgOf(cells, `Skydeck: ${title}`);
}

/**
 * Waits until the frame on the screen is the golden one of this name and size, and its picture that of the page of
 * screens where it has one; fails with the difference when it never is. With UPDATE_FRAMES set, waits until the frame
 * rests and makes it the golden one.
 */
export async function expectFrame(skydeck: Skydeck, name: string): Promise<void> {
  const { cols, rows } = skydeck.terminal;
  const file = join(import.meta.dirname, 'golden', `${name}.${cols}x${rows}.txt`);
  const title = `${cols}x${rows}` === pictureSize ? screens[name]?.[0] : undefined;
  const picture = join(import.meta.dirname, '../../docs', pictureFile(name));
  if (updating) await writeFile(file, await frameAtRest(skydeck));
  if (updating && title) await writeFile(picture, pictureOf(skydeck, title));
  const golden = await readFile(file, 'utf8');
  const drawn = title && (await readFile(picture, 'utf8'));
  const isGolden = () => frameOf(skydeck) === golden && (!title || pictureOf(skydeck, title) === drawn);
  // The account is read piece by piece, so that the counts of its problems grow for seconds.
  await skydeck.waitFor(isGolden).catch(() => undefined);
  expect(frameOf(skydeck), `${name} at ${cols}×${rows}; UPDATE_FRAMES=1 makes what is shown the golden frame`).toBe(
    golden,
  );
  if (title)
    expect(pictureOf(skydeck, title), `the picture of ${name} is stale: UPDATE_FRAMES=1 draws it anew`).toBe(drawn);
  expectToFit(skydeck);
}

/** The frame that rests; an empty one is none, so that one that is never drawn fails. */
async function frameAtRest(skydeck: Skydeck): Promise<string> {
  for (;;) {
    await skydeck.waitFor((text) => text.trim() !== '');
    const before = frameOf(skydeck);
    const changed = skydeck.waitFor(() => frameOf(skydeck) !== before, { timeoutMs: restMs });
    if (await changed.then(() => false).catch(() => true)) return before;
  }
}

/** A line that is wider than the screen goes on in the next one, and a frame that is higher scrolls. */
function expectToFit({ terminal }: Skydeck): void {
  const { active } = terminal.buffer;
  const wrapped = Array.from({ length: terminal.rows }, (_, row) => row).filter(
    (row) => active.getLine(row)?.isWrapped,
  );
  expect({ wrapped, scrolled: active.baseY }).toEqual({ wrapped: [], scrolled: 0 });
}
