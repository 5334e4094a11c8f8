import { type Figure, mean, median } from './figures.ts';
import { cpuDuring, hidePreview, holds, openSkydeck, startLivelyApi, startStillApi } from './programs.ts';
import { pause, type Session } from './session.ts';

const count = 20_000;
const changesPerSecond = 60;
const settleMs = 5000;
/** Measures with and without keys in turns, so that slow changes are in both. */
const rounds = 5;
const turnMs = 3000;
const keys = ['down', 'pageDown', 'up', 'pageUp'];
const keyMs = 250;
/** With a higher load without keys, a key displaces other work, and its own cost cannot be measured. */
const maxLoadPercent = 80;

/** A list and the fleet that are read again every second while servers change all the time. */
export async function lively(home: string): Promise<Figure[]> {
  const api = await startLivelyApi(count, changesPerSecond);
  const figures: Figure[] = [];
  const list = openSkydeck(api, home, ['--refresh', '1', 'servers']);
  await list.waitFor(holds('Servers', count));
  await hidePreview(list);
  figures.push(...(await restAndKeys(list, 'list alone')));
  await list.close();
  const fleet = openSkydeck(api, home, ['--refresh', '1', 'fleet']);
  await fleet.waitFor(/ of 20\D000 known/);
  figures.push(...(await restAndKeys(fleet, 'fleet')));
  await fleet.close();
  api.close();
  return figures;
}

async function restAndKeys(session: Session, where: string): Promise<Figure[]> {
  await pause(settleMs);
  const rest = () => cpuDuring(session, () => pause(turnMs));
  const presses = turnMs / keyMs;
  const rests = [await rest()];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const used = await cpuDuring(session, () => press(session, presses));
    const before = rests.at(-1) ?? Number.NaN;
    const after = await rest();
    rests.push(after);
    costs.push((used - (before + after) / 2) / presses);
  }
  const percent = (mean(rests) / turnMs) * 100;
  return [
    {
      measure: `CPU while ${changesPerSecond} of ${count} servers change a second, ${where}`,
      value: percent,
      unit: '%',
      goal: '15',
    },
    {
      measure: `CPU for a key besides, ${where}`,
      // Less than nothing is the noise of the machine.
      value: percent > maxLoadPercent ? Number.NaN : Math.max(0, median(costs)),
      unit: 'ms',
      goal: '15',
    },
  ];
}

async function press(session: Session, times: number): Promise<void> {
  for (let time = 0; time < times; time++) {
    session.send(keys[time % keys.length] ?? '');
    await pause(keyMs);
  }
}

const starts = 3;

/** The filter of a long list where it is opened for the first time, and its first letter: later ones find an index. */
export async function firstFilter(home: string): Promise<Figure[]> {
  const api = await startStillApi(count);
  const [opening, letter]: [number[], number[]] = [[], []];
  for (let start = 0; start < starts; start++) {
    const session = openSkydeck(api, home, ['servers']);
    await session.waitFor(holds('Servers', count));
    await hidePreview(session);
    for (const key of keys) await session.ask(key, keyMs);
    await session.quiet(2000);
    const costOf = (key: string) => cpuDuring(session, async () => void (await session.ask(key, 500)));
    opening.push(await costOf('/'));
    letter.push(await costOf('w'));
    await session.close();
  }
  api.close();
  return [
    { measure: `CPU for opening the filter over ${count} rows`, value: median(opening), unit: 'ms', goal: '30' },
    { measure: 'CPU for its first letter', value: median(letter), unit: 'ms' },
  ];
}
