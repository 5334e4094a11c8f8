import { expect, test } from 'vitest';
import { memoryState } from '../store/keptState.ts';
import { startHeldDemo } from './heldDemo.ts';
import { openSkydeck } from './skydeck.ts';

/** The row of everything on a frame of home that has a name. An amount is none: two may be alike by chance. What stands there twice is left out. */
function rowsOf(frame: string): ReadonlyMap<string, number> {
  const rows = new Map<string, number>();
  const twice = new Set<string>();
  for (const [row, line] of frame.split('\n').slice(1, -1).entries())
    for (const piece of line.split(/ {2,}|[❯─]+/).map((part) => part.trim())) {
      if (!/^\D*[a-z]{3}/i.test(piece)) continue;
      if (rows.has(piece)) twice.add(piece);
      rows.set(piece, row);
    }
  return new Map([...rows].filter(([piece]) => !twice.has(piece)));
}

/** The heading of the problems and their lines. */
const problemLines = /^[❯ ] Problems .*(?:\n[❯ ] [✗!○] .*)*/m;

/** The severities of the problems on a frame, from the top down. */
const severitiesIn = (frame: string) =>
  [...(problemLines.exec(frame)?.[0].matchAll(/\n[❯ ] (.)/g) ?? [])].map(([, mark]) => mark);

/** A frame without the lines of problems, which the worst found so far may push down. */
const withoutProblems = (frame: string) => frame.replace(problemLines, (found) => found.replaceAll(/\n.*/g, '\n'));

/** The pieces that stand on both frames, on another row of the second. */
const movedBetween = (before: string, after: string): readonly string[] => {
  const earlier = rowsOf(before);
  return [...rowsOf(after)].flatMap(([piece, row]) => ((earlier.get(piece) ?? row) === row ? [] : [piece]));
};

const sizes = [
  [60, 16],
  [80, 24],
  [120, 40],
  [200, 60],
] as const;

test.each(sizes)(
  'at %i×%i home moves at most once while one answer after the other comes, but for problems, of which the worst stands first; it says that it is examining until then',
  async (columns, rows) => {
    const demo = await startHeldDemo(() => true);
    const skydeck = await openSkydeck({ demo, columns, rows });
    const frames: string[] = [];
    let isExamined = false;
    const examined = skydeck.waitFor((frame) => {
      if (frame !== frames.at(-1)) frames.push(frame);
      isExamined = /Problems {2}✗ \d/.test(frame);
      return isExamined;
    });
    while (!isExamined) {
      await expect.poll(() => isExamined || demo.held > 0, { interval: 5, timeout: 20_000 }).toBe(true);
      const before = skydeck.requests.length;
      demo.release(1);
      await expect
        .poll(() => isExamined || skydeck.requests.length > before, { interval: 5, timeout: 20_000 })
        .toBe(true);
      await skydeck.shown();
    }
    await examined;
    const unsaid = frames.slice(0, -1).filter((frame) => !/Problems {2}(…|examining (…|\d+%))/.test(frame));
    expect(unsaid.filter((frame) => frame.includes('Problems'))).toEqual([]);
    const moves = frames.map((frame, index) =>
      movedBetween(withoutProblems(frames[index - 1] ?? ''), withoutProblems(frame)),
    );
    expect(moves.filter((moved) => moved.length > 0).length, JSON.stringify(moves)).toBeLessThanOrEqual(1);
    const severities = frames.map((frame) => severitiesIn(frame).join(''));
    expect(severities.filter((marks) => !/^✗*!*○*$/.test(marks))).toEqual([]);
    expect(new Set(severities).size).toBeGreaterThan(3);
    expect(frames.at(-1)).toMatch(/Problems {2}✗ 4 critical/);
  },
);

test('the next session has the heights of the last one from the first frame on, and counts what it examines', async () => {
  const memory = memoryState();
  const demo = await startHeldDemo(() => isHeld);
  let isHeld = false;
  const first = await openSkydeck({ demo, state: memory.session(), columns: 120, rows: 40 });
  await first.waitFor(/Problems {2}✗ \d/);
  await first.shown();
  await first.close();
  isHeld = true;
  const next = await openSkydeck({ demo, state: memory.session(), columns: 120, rows: 40 });
  const frames: string[] = [];
  let isExamined = false;
  const examined = next.waitFor((frame) => {
    if (frame !== frames.at(-1)) frames.push(frame);
    isExamined = /Problems {2}✗ \d/.test(frame);
    return isExamined;
  });
  while (!isExamined) {
    await expect.poll(() => isExamined || demo.held > 0, { interval: 5, timeout: 20_000 }).toBe(true);
    demo.release(1);
    await next.shown();
  }
  await examined;
  const moves = frames.flatMap((frame, index) => movedBetween(frames[index - 1] ?? '', frame));
  const headings = ['Happening now', 'Activity', 'Servers', 'Fleet', 'NodeBalancers', 'Managed', 'Storage', 'Money'];
  expect(frames.find((frame) => frame.trim() !== '')).toContain('Happening now');
  expect(moves.filter((piece) => headings.includes(piece))).toEqual([]);
  const percents =
    frames
      .join('\n')
      .match(/(?<=examining )\d+(?=%)/g)
      ?.map(Number) ?? [];
  expect(percents.length).toBeGreaterThan(5);
  expect(percents).toEqual(percents.toSorted((one, other) => one - other));
});
