/** Measures the built program in a real pseudo-terminal against a floor taken in the same run: `npm run bench` writes docs/bench.md. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import build from '../test/build.ts';
import { type Figure, lineOf, tableOf } from './bench/figures.ts';
import { echoTimes, filterAndSort, keyBytes, keyTimes, lessBytes } from './bench/keys.ts';
import { type Api, holds, openSkydeck, startApi, startStillApi } from './bench/programs.ts';
import { pause } from './bench/session.ts';
import { idle, memory } from './bench/standing.ts';
import { roundTrips, startTimes } from './bench/start.ts';

const count = 10_000;
const latencyMs = 100;
const restMs = 20_000;

const figures: Figure[] = [];
const note = (measured: readonly Figure[]) => {
  for (const figure of measured) console.log(lineOf(figure));
  figures.push(...measured);
};

/** A list of all servers, with nothing under way. */
async function openList(api: Api, home: string) {
  const session = openSkydeck(api, home, ['servers']);
  await session.waitFor(holds('Servers', count));
  await session.quiet(1000);
  return session;
}

/** What a list costs that has all it shows: the graphs of its rows have come. */
async function rest(api: Api, home: string, when: string, goal?: string): Promise<Figure[]> {
  const session = await openList(api, home);
  await pause(restMs);
  const costs = await idle(session, when, goal);
  await session.close();
  return costs;
}

await build();
const home = mkdtempSync(join(tmpdir(), 'skydeck-bench-'));
// Far enough away that what it answers to a key is told apart from the key's own answer.
const far = await startApi(count, latencyMs);
const near = await startApi(count);
try {
  const echo = await echoTimes();
  const alone = await openList(far, home);
  await alone.ask('p', 500);
  const less = await lessBytes(alone, home);
  note(await keyBytes(alone, 'alone', less));
  await alone.close();
  const beside = await openList(far, home);
  note(await keyBytes(beside, 'with preview', less));
  await beside.close();
  const list = await openList(near, home);
  await list.ask('p', 500);
  note(await keyTimes(list, echo));
  note(await filterAndSort(list, echo));
  await list.close();
  note(await rest(near, home, 'colleagues work'));
  const still = await startStillApi(count);
  note(await rest(still, home, 'nothing happens', '0.2'));
  still.close();
  note(await startTimes(near, home));
  note(await roundTrips(far, home, count, latencyMs));
  note(await memory(near, home, count));
  writeFileSync('docs/bench.md', pageOf(less === undefined));
} finally {
  far.close();
  near.close();
  rmSync(home, { recursive: true, force: true });
}

function pageOf(withoutLess: boolean): string {
  const [cpu] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const missing = withoutLess ? '\n`less` is not installed here, so what it sends is not known.\n' : '';
  return `# What it costs

Measured by \`npm run bench\` on ${date}, on ${cpus().length} × ${cpu?.model.trim()}, Node ${process.versions.node}.

The built program runs at 160×50 in a real pseudo-terminal, in front of the demo API in a process of its own with ${count} servers and as many events. A floor is the least that the same could cost, taken in the same run; times depend on what else the machine does, ratios much less. A key is answered within 80 ms; what follows from it is the preview once the cursor rests, and the graphs of rows that came into sight. Held is thirty keys a second.
${missing}
${tableOf(figures)}
`;
}
