/**
 * Measures the built program in a real pseudo-terminal against a floor taken in the same run: `npm run bench` writes
 * docs/bench.md, and `npm run bench -- PART…` only prints the figures of some parts.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import build from '../test/build.ts';
import { type Figure, lineOf, tableOf } from './bench/figures.ts';
import { homeScreen } from './bench/home.ts';
import { echoTimes, filterAndSort, keyBytes, keyTimes, type LessBytes, lessBytes } from './bench/keys.ts';
import { firstFilter, lively } from './bench/lively.ts';
import { type Api, hidePreview, holds, openSkydeck, startApi, startStillApi } from './bench/programs.ts';
import { pause } from './bench/session.ts';
import { idle, memory } from './bench/standing.ts';
import { roundTrips, startTimes } from './bench/start.ts';
import { keepingCosts, warmMemory, warmStarts } from './bench/warm.ts';
import { manyZones } from './bench/zones.ts';
import { patches, replacedParts } from './patches.ts';

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

/** Measures a list that has all it shows: the graphs of its rows have come. */
async function rest(api: Api, home: string, when: string, goal?: string): Promise<Figure[]> {
  const session = await openList(api, home);
  await pause(restMs);
  const costs = await idle(session, when, goal);
  await session.close();
  return costs;
}

let less: LessBytes | undefined;

/** The programs and files that several parts share. */
interface Setting {
  /** Far enough away that what it answers to a key is told apart from the key's own answer. */
  far: Api;
  near: Api;
  home: string;
}

const parts: Readonly<Record<string, (setting: Setting) => Promise<void>>> = {
  keys: async ({ far, near, home }) => {
    const echo = await echoTimes();
    const alone = await openList(far, home);
    await hidePreview(alone);
    less = await lessBytes(alone, home);
    note(await keyBytes(alone, 'alone', less));
    await alone.close();
    const beside = await openList(far, home);
    note(await keyBytes(beside, 'with preview', less));
    await beside.close();
    const list = await openList(near, home);
    await hidePreview(list);
    note(await keyTimes(list, echo));
    note(await filterAndSort(list, echo));
    await list.close();
  },
  rest: async ({ near, home }) => {
    note(await rest(near, home, 'colleagues work'));
    const still = await startStillApi(count);
    note(await rest(still, home, 'nothing happens', '0.2'));
    still.close();
  },
  lively: async ({ home }) => {
    note(await lively(home));
    note(await homeScreen(home));
    note(await firstFilter(home));
  },
  start: async ({ far, near, home }) => {
    note(await startTimes(near, home));
    note(await roundTrips(far, home, count, latencyMs));
  },
  warm: async ({ far, near, home }) => {
    note(await warmStarts(near, home, count, 0));
    note(await warmStarts(far, home, count, latencyMs));
    note(await keepingCosts(near, count));
    note(await warmMemory(near, home, count));
  },
  zones: async ({ home }) => note(await manyZones(home)),
  memory: async ({ near, home }) => note(await memory(near, home, count)),
};

const named = process.argv.slice(2);
const unknown = named.find((name) => !(name in parts));
if (unknown) {
  console.error(`There is no part ${unknown}; there are ${Object.keys(parts).join(', ')}.`);
  process.exit(2);
}
await build();
const home = mkdtempSync(join(tmpdir(), 'skydeck-bench-'));
const [far, near] = await Promise.all([startApi(count, latencyMs), startApi(count)]);
try {
  for (const [name, measure] of Object.entries(parts))
    if (named.length === 0 || named.includes(name)) await measure({ far, near, home });
  if (named.length === 0) writeFileSync('docs/bench.md', pageOf(less === undefined));
} finally {
  far.close();
  near.close();
  rmSync(home, { recursive: true, force: true });
}

/** The changes to dependencies that save time, with the milliseconds of a start that each saves. */
function patchesTable(): string {
  const files = patches.flatMap(({ file, savesMs }) =>
    savesMs === undefined ? [] : [[`\`${file.source.replaceAll('\\', '').replace('$', '')}\``, savesMs] as const],
  );
  const rows = [...files, ...Object.entries(replacedParts)].sort(([, one], [, other]) => other - one);
  return [
    'Dependencies are bundled as they are, but for a few lines in [patches.ts](../scripts/patches.ts) that save at least 5 ms of a start each. Medians of first frames or of processor time, in 15 to 25 turns with and without:',
    '',
    '| Changed | Saves |',
    '| --- | --- |',
    ...rows.map(([name, savesMs]) => `| ${name} | ${savesMs} ms |`),
    '',
    `Four more lines let the program be one script, which is compiled once and kept: that saves 116 ms of processor time.`,
  ].join('\n');
}

function pageOf(withoutLess: boolean): string {
  const [cpu] = cpus();
  const date = new Date().toISOString().slice(0, 10);
  const missing = withoutLess ? '\n`less` is not installed here, so what it sends is not known.\n' : '';
  return `# Benchmarks

Measured by \`npm run bench\` on ${date}, on ${cpus().length} × ${cpu?.model.trim()}, Node ${process.versions.node}.

The built program runs at 160×50 in a real pseudo-terminal, in front of the demo API in a process of its own with ${count} servers and as many events. A floor is the least that the same could cost, taken in the same run; times depend on what else the machine does, ratios much less. A key is answered within 80 ms; what follows from it is the preview once the cursor rests, and the graphs of rows that came into sight; those under a filter are read once its typing rests, and are not in the figure of its letter. Held is thirty keys a second.

CPU is the processor time of the dashboard alone. While servers change, lists are read again every second, cursor and page keys are pressed four times a second, and a key's cost is what it adds to that of the same time without keys. Home and the filter are measured until the screen is still again, the filter where it is opened for the first time, and Home while colleagues work.
${missing}
${tableOf(figures)}

${patchesTable()}
`;
}
