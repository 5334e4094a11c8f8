import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openKeptLists } from '../../src/program/kept/keptLists.ts';
import { loginState } from '../../src/program/state/accounts.ts';
import { openState } from '../../src/program/state/state.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import type { KeptList } from '../../src/store/kept/keptRows.ts';
import { type Figure, median } from './figures.ts';
import { type Api, cpuMs, holds, openSkydeck, residentMb } from './programs.ts';
import { pause, type Session } from './session.ts';

const runs = 9;
const firstRow = /^❯/m;
/** The garbage of a start is collected within about so many readings. */
const readings = 20;

/** Measures starts with the servers of a session before, in turns with starts without them. */
export async function warmStarts(api: Api, home: string, count: number, latencyMs: number): Promise<Figure[]> {
  await keep(api, home, count);
  const [cold, warm]: [Start[], Start[]] = [[], []];
  for (let run = 0; run < runs; run++) {
    cold.push(await start(api, home, ['--no-cache', 'servers']));
    warm.push(await start(api, home, ['servers']));
  }
  const of = (starts: readonly Start[], what: keyof Start) => median(starts.map((times) => times[what]));
  const away = `warm, ${latencyMs} ms away`;
  const figures: Figure[] = [
    {
      measure: `Start to the first frame with rows, ${away}`,
      value: of(warm, 'rowsMs'),
      unit: 'ms',
      floor: { value: of(cold, 'frameMs'), of: 'without rows, ms' },
    },
    {
      measure: `CPU of a start to rows, ${away}`,
      value: of(warm, 'cpuMs'),
      unit: 'ms',
      floor: { value: of(cold, 'cpuMs'), of: 'cold, ms' },
    },
  ];
  if (latencyMs === 0) return figures;
  const trips = median(warm.map(({ frameMs, rowsMs }) => (rowsMs - frameMs) / latencyMs));
  return [...figures, { measure: `First frame to rows, ${away}`, value: trips, unit: 'round trips', goal: '0' }];
}

/** The state that these sessions share. */
const stateIn = (home: string) => join(home, 'warm');

/** Reads all servers and quits, so that they are kept. */
async function keep(api: Api, home: string, count: number): Promise<void> {
  const session = openSkydeck(api, home, ['servers'], stateIn(home));
  await session.waitFor(holds('Servers', count));
  await session.quiet(1000);
  await session.ask('q', 1500);
  await session.close();
}

/** The times of a start. */
interface Start {
  frameMs: number;
  rowsMs: number;
  cpuMs: number;
}

async function start(api: Api, home: string, args: readonly string[]): Promise<Start> {
  const session = openSkydeck(api, home, args, stateIn(home));
  const since = () => performance.now() - session.startedAt;
  await session.waitFor('skydeck');
  const frameMs = since();
  await session.waitFor(firstRow);
  const times = { frameMs, rowsMs: since(), cpuMs: cpuMs(session.pid) };
  await session.close();
  return times;
}

/** Measures the memory of a session that began with the servers of one before, when all are read. */
export async function warmMemory(api: Api, home: string, count: number): Promise<Figure[]> {
  await keep(api, home, count);
  const of = async (args: readonly string[]) => {
    const session = openSkydeck(api, home, args, stateIn(home));
    await session.waitFor(holds('Servers', count));
    const used = await residentAtRest(session);
    await session.close();
    return used;
  };
  const without = await of(['--no-cache', 'servers']);
  const floor = { value: without, of: '--no-cache, MB' };
  return [
    {
      measure: `Resident memory with ${count} kept servers`,
      value: await of(['servers']),
      unit: 'MB',
      floor,
      goal: '1.05×',
    },
  ];
}

/** The least resident size within some time, in MB: garbage is collected sooner or later. */
async function residentAtRest({ pid }: Session): Promise<number> {
  const found: number[] = [];
  for (let reading = 0; reading < readings; reading++) {
    await pause(2000);
    found.push(residentMb(pid));
  }
  return Math.min(...found);
}

/** Measures what keeping a list and as many events takes, and reading them again. */
export async function keepingCosts(api: Api, count: number): Promise<Figure[]> {
  const servers = await rowsOf(api, 'servers', count);
  const some = await rowsOf(api, 'events', count);
  const events = Array.from({ length: count }, (_, nth) => ({ ...some[nth % some.length], id: count - nth }));
  const directory = mkdtempSync(join(tmpdir(), 'skydeck-kept-'));
  const state = openState(directory, process.geteuid?.());
  const login = { profile: 'bench', address: api.url, fingerprint: '' };
  const open = () => openKeptLists(state, login, loginState(state, login));
  const lists = [listOf('servers', servers), listOf('events', events)];
  try {
    await open().save(lists);
    const used = process.cpuUsage();
    const longest = await longestTurn(() => open().save(lists));
    const { user, system } = process.cpuUsage(used);
    const readAt = performance.now();
    const kept = open();
    for (const { query } of lists) kept.read(query);
    const readMs = performance.now() - readAt;
    const packed = state.toWrite().get('SELECT sum(length(data)) AS bytes FROM list');
    const kibibytes = Number(packed?.bytes) / 1024;
    const both = `${count} servers and events`;
    const plain = { value: JSON.stringify([servers, events]).length / 1024, of: 'as JSON, KiB' };
    return [
      { measure: `Size of ${both}, kept`, value: kibibytes, unit: 'KiB', floor: plain },
      { measure: `CPU to keep ${both}`, value: (user + system) / 1000, unit: 'ms' },
      { measure: 'Longest wait of a key meanwhile', value: longest, unit: 'ms', goal: '15' },
      { measure: `Time to read ${both} again`, value: readMs, unit: 'ms' },
    ];
  } finally {
    state.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

const listOf = (resource: string, rows: readonly Row[]): KeptList => ({
  query: { resource, operation: 'list', params: {} },
  rows,
  results: rows.length,
  keptAt: Date.now(),
});

/** Reads at most so many rows of a list. */
async function rowsOf({ url, token }: Api, resource: string, count: number): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let page = 1; rows.length < count; page++) {
    const address = `${url}${resourceNamed(resource).list?.path}?page=${page}&page_size=100`;
    const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } });
    const { data, pages } = (await answer.json()) as { data: Row[]; pages: number };
    rows.push(...data);
    if (page >= pages) break;
  }
  return rows;
}

/** The most processor time, in milliseconds, that a task takes between two turns of the event loop: so long a key waits. */
async function longestTurn(doing: () => Promise<void>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [longest, last, isOver] = [0, used(), false];
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await doing();
  isOver = true;
  return longest;
}
