import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Figure, median, quantile } from './figures.ts';
import { cpuMs } from './programs.ts';
import { openSession, pause, type Session } from './session.ts';

/** The panes beside the list. */
type Layout = 'alone' | 'with preview';

/** Bytes that `less` sends for the same rows. */
export interface LessBytes {
  scroll: number;
  page: number;
}

/** The header, the title, the titles of the columns and the footer. */
const frameLines = 4;
/** The time of a key's own answer. */
const answerMs = 80;
/** The time of all that follows: a preview comes when the cursor has rested. */
const followMs = 450;

/** Measures a key: within the time of its own answer, and with all that follows from it. */
async function costs(session: Session, key: string, times: number) {
  const [answers, totals]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time++) {
    const before = session.bytes;
    answers.push((await session.ask(key, answerMs)).bytes);
    await session.quiet(followMs);
    totals.push(session.bytes - before);
  }
  return { answer: median(answers), total: median(totals) };
}

/** Bytes per key of a list that has been opened and whose cursor is on its first row. */
export async function keyBytes(session: Session, layout: Layout, less: LessBytes | undefined): Promise<Figure[]> {
  const named = (measure: string) => `${measure}, list ${layout}`;
  const cursor = await costs(session, 'down', 20);
  await hold(session, 'down', 40);
  const scroll = await costs(session, 'down', 20);
  const page = await costs(session, 'pageDown', 8);
  const held = await hold(session, 'down', 60);
  const beside = layout === 'with preview';
  return [
    { measure: named('Cursor within the page'), value: cursor.answer, unit: 'bytes', goal: beside ? undefined : '240' },
    {
      measure: named('Scroll by one'),
      value: scroll.answer,
      unit: 'bytes',
      floor: less && { value: less.scroll, of: 'less' },
      goal: beside ? undefined : '240',
    },
    { measure: named('Scroll by one, with all that follows'), value: scroll.total, unit: 'bytes' },
    {
      measure: named('Page'),
      value: page.answer,
      unit: 'bytes',
      floor: less && { value: less.page, of: 'less' },
      goal: beside ? undefined : '0.6×',
    },
    { measure: named('Page, with all that follows'), value: page.total, unit: 'bytes' },
    { measure: named('Scrolling by a held key'), value: held / 60, unit: 'bytes a key' },
  ];
}

/** Repeats a key thirty times a second, as a keyboard does. Returns the bytes until all was quiet. */
async function hold(session: Session, key: string, times: number): Promise<number> {
  const before = session.bytes;
  for (let time = 0; time < times; time++) {
    session.send(key);
    await pause(33);
  }
  await session.quiet(followMs);
  return session.bytes - before;
}

/** Measures the time from a key to its first byte, one by one and held; the floor is a program that only echoes. */
export async function keyTimes(session: Session, echo: readonly number[]): Promise<Figure[]> {
  const single: number[] = [];
  const cpu = cpuMs(session.pid);
  for (let time = 0; time < 60; time++) {
    single.push((await session.ask(time % 2 === 0 ? 'down' : 'up', 120)).firstMs ?? Number.NaN);
  }
  const cpuOfKeys = cpuMs(session.pid) - cpu;
  const sent: number[] = [];
  const before = session.bytes;
  for (let time = 0; time < 90; time++) {
    sent.push(performance.now());
    session.send('down');
    await pause(33);
  }
  const pressedAt = sent.at(-1) ?? Number.NaN;
  await session.quiet(answerMs);
  const pieces = session.piecesFrom(before);
  const lastAt = pieces.at(-1)?.at ?? Number.NaN;
  const held = sent.flatMap((at) => (pieces.find((piece) => piece.at > at)?.at ?? Number.NaN) - at);
  const named = (measure: string) => `${measure}, list alone`;
  const unit = 'ms';
  const medianFloor = { value: median(echo), of: 'an echo, ms' };
  const p95Floor = { value: quantile(echo, 0.95), of: 'an echo, p95, ms' };
  return [
    { measure: named('Key to first byte, median'), value: median(single), unit, floor: medianFloor },
    { measure: named('Key to first byte, p95'), value: quantile(single, 0.95), unit, floor: p95Floor, goal: '12' },
    { measure: named('Held key to first byte, median'), value: median(held), unit, floor: medianFloor },
    { measure: named('Held key to first byte, p95'), value: quantile(held, 0.95), unit, floor: p95Floor, goal: '12' },
    { measure: named('Last byte after a held key is let go'), value: lastAt - pressedAt, unit, goal: 'no queue' },
    { measure: named('CPU for a key, with all that follows'), value: cpuOfKeys / single.length, unit },
  ];
}

/** Measures a program that only echoes, in milliseconds for each key. */
export async function echoTimes(): Promise<readonly number[]> {
  const program =
    "process.stdin.setRawMode(true);process.stdin.on('data',(key)=>process.stdout.write(key));process.stdout.write('on')";
  const session = openSession(process.execPath, ['-e', program], { PATH: process.env.PATH });
  await session.waitFor('on');
  const times: number[] = [];
  for (let time = 0; time < 60; time++) times.push((await session.ask('x', 60)).firstMs ?? Number.NaN);
  await session.close();
  return times;
}

/** Filter and sort of all rows: from the last key to the first byte of the answer. */
export async function filterAndSort(session: Session, echo: readonly number[]): Promise<Figure[]> {
  const filter: number[] = [];
  const sort: number[] = [];
  const floor = { value: median(echo), of: 'an echo, ms' };
  for (let time = 0; time < 10; time++) {
    await session.ask('/', 200);
    for (const character of 'web-12') filter.push((await session.ask(character, 150)).firstMs ?? Number.NaN);
    await session.ask('ctrl-u', 150);
    await session.ask('esc', 300);
    await session.ask('s', 200);
    sort.push((await session.ask('enter', 300)).firstMs ?? Number.NaN);
  }
  return [
    { measure: 'Filter, a further character', value: median(filter), unit: 'ms', floor, goal: '17' },
    { measure: 'Sort by the label, the other way round', value: median(sort), unit: 'ms', floor, goal: '17' },
  ];
}

/** Counts the bytes of `less` for the rows that pages of the list show; undefined where there is no `less`. */
export async function lessBytes(session: Session, home: string): Promise<LessBytes | undefined> {
  const lines: string[] = [];
  for (let page = 0; page < 12; page++) {
    const shown = session.text().split('\n');
    lines.push(...shown.slice(frameLines - 1, -1));
    await session.ask('pageDown', 300);
  }
  await session.ask('home', 300);
  const file = join(home, 'rows.txt');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const less = openSession('less', ['-S', file], { PATH: process.env.PATH, LANG: 'C.UTF-8' });
  try {
    await less.waitFor('rows.txt', 3000);
  } catch {
    return undefined;
  }
  const scroll = await costs(less, 'j', 10);
  const page = await costs(less, 'space', 6);
  await less.close();
  return { scroll: scroll.answer, page: page.answer };
}
