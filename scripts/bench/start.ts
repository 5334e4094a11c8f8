import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Figure, median } from './figures.ts';
import { type Api, holds, lifetimeMs, openSkydeck } from './programs.ts';
import { pause } from './session.ts';

const runs = 15;

/** Measures the first frame and the first rows, with an API that answers at once and with the built-in one. */
export async function startTimes(api: Api, home: string): Promise<Figure[]> {
  const bare: number[] = [];
  const [alone, withDemo]: [Start[], Start[]] = [[], []];
  // The code compiled at the first start is kept for the next ones.
  await start(api, home, ['--demo', 'servers'], 4000);
  for (let run = 0; run < runs; run++) {
    bare.push(await lifetimeMs(process.execPath, ['-e', '0']));
    alone.push(await start(api, home, ['--no-cache', 'servers']));
    withDemo.push(await start(api, home, ['--demo', 'servers']));
  }
  const floor = { value: median(bare), of: 'node -e 0, ms' };
  const of = (starts: readonly Start[], what: keyof Start) => median(starts.map((times) => times[what]));
  const unit = 'ms';
  return [
    { measure: 'Start to the first frame', value: of(alone, 'frameMs'), unit, floor, goal: '4×' },
    { measure: 'Start to the first rows', value: of(alone, 'rowsMs'), unit, floor, goal: '6×' },
    { measure: 'Start to the first frame, --demo', value: of(withDemo, 'frameMs'), unit, floor, goal: '4×' },
    { measure: 'Start to the first rows, --demo', value: of(withDemo, 'rowsMs'), unit, floor, goal: '6×' },
  ];
}

/** The times of a start. */
interface Start {
  frameMs: number;
  rowsMs: number;
}

async function start(api: Api, home: string, args: readonly string[], staysMs = 0): Promise<Start> {
  const session = openSkydeck(api, home, args);
  const since = () => performance.now() - session.startedAt;
  await session.waitFor('skydeck');
  const frameMs = since();
  await session.waitFor(firstRow);
  const rowsMs = since();
  await pause(staysMs);
  await session.close();
  return { frameMs, rowsMs };
}

const firstRow = /^❯/m;
const listPath = resourceNamed('servers').list?.path ?? '';
/** The page size and concurrency of the dashboard. */
const pageSize = 100;
const concurrency = 4;

/** Reads all rows with `fetch` alone. Returns the time in milliseconds. */
async function fetchAll({ url, token }: Api, count: number): Promise<number> {
  const startedAt = performance.now();
  const read = async (page: number) => {
    const address = `${url}${listPath}?page=${page}&page_size=${pageSize}`;
    return (await fetch(address, { headers: { authorization: `Bearer ${token}` } })).json();
  };
  await read(1);
  const left = Array.from({ length: Math.ceil(count / pageSize) - 1 }, (_, index) => index + 2);
  const reader = async () => {
    for (let page = left.shift(); page !== undefined; page = left.shift()) await read(page);
  };
  await Promise.all(Array.from({ length: concurrency }, reader));
  return performance.now() - startedAt;
}

/** Counts the round trips to the first and to all rows, and the pages that are read again on return to a list. */
export async function roundTrips(api: Api, home: string, count: number, latencyMs: number): Promise<Figure[]> {
  const log = join(home, 'calls.jsonl');
  const session = openSkydeck(api, home, ['--no-cache', '--log-file', log, 'servers']);
  await session.waitFor('skydeck');
  const paintedAt = performance.now();
  await session.waitFor(firstRow);
  const first = performance.now() - paintedAt;
  await session.waitFor(holds('Servers', count));
  const all = performance.now() - paintedAt;
  await session.quiet(1000);
  const listCalls = () => readFileSync(log, 'utf8').split(`"${listPath}"`).length;
  const before = listCalls();
  for (const area of ['volumes', 'servers']) {
    await session.ask(':', 200);
    for (const character of area) await session.ask(character, 50);
    await session.ask('enter', 600);
  }
  const again = listCalls() - before;
  await session.close();
  const floor = { value: (await fetchAll(api, count)) / latencyMs, of: 'fetch alone' };
  const away = `${latencyMs} ms away`;
  const unit = 'round trips';
  const one = { value: 1, of: 'one page' };
  return [
    { measure: `First frame to first rows, ${away}`, value: first / latencyMs, unit, floor: one },
    { measure: `First frame to all ${count} rows, ${away}`, value: all / latencyMs, unit, floor },
    { measure: 'Pages of servers asked again after another area', value: again, unit: '', goal: '0' },
  ];
}
