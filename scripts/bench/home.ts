import { type Figure, median, quantile } from './figures.ts';
import { cpuDuring, openSkydeck, startApi } from './programs.ts';
import { pause, type Session } from './session.ts';

const few = 40;
const many = 10_000;
const settleMs = 12_000;
/** Lists without events are read once a minute, so each measurement has one such reading. */
const restSeconds = 60;
const rounds = 7;
const roundPauseMs = 1000;
const keyMs = 150;

const toFleet = 'F';
const fromFleet = `esc after ${toFleet}`;
/** The keys that Home answers, and those that open something over it or instead of it, with the way back. */
const keys = [
  ...['down', 'pageDown', 'end', 'up', 'pageUp', 'home', 'tab', 'shift-tab'],
  ...[':', '?', 'J', 'enter', toFleet].flatMap((key) => [key, 'esc']),
];

/** Home at rest in a small and a large account, both at once because they do little, and its keys in the large one. */
export async function homeScreen(home: string): Promise<Figure[]> {
  const [small, large] = await Promise.all([startApi(few), startApi(many)]);
  const [smallHome, largeHome] = [openSkydeck(small, home, ['home']), openSkydeck(large, home, ['home'])];
  const rests = await Promise.all([rest(smallHome, few, '1'), rest(largeHome, many, '2')]);
  await smallHome.close();
  small.close();
  const costs = await keyCosts(largeHome);
  await largeHome.close();
  large.close();
  return [...rests, ...costs];
}

async function rest(session: Session, servers: number, goal: string): Promise<Figure> {
  const shown = servers.toLocaleString('en').replace(',', '\\D?');
  await session.waitFor(new RegExp(` Servers +${shown}\\b`));
  await pause(settleMs);
  const used = await cpuDuring(session, () => pause(restSeconds * 1000));
  const measure = `CPU of Home in ${restSeconds} s while colleagues work, ${servers} servers`;
  return { measure, value: used / (restSeconds * 10), unit: '%', goal };
}

/** The median of the most expensive key, and the p95 of all keys: a change makes the next key more expensive. */
async function keyCosts(session: Session): Promise<Figure[]> {
  const costs = new Map<string, number[]>();
  for (let round = 0; round < rounds; round++) {
    // Leaving the fleet has ended.
    await pause(roundPauseMs);
    for (const [index, key] of keys.entries()) {
      const name = key === 'esc' ? `esc after ${keys[index - 1]}` : key;
      const used = await cpuDuring(session, async () => void (await session.ask(key, keyMs)));
      costs.set(name, [...(costs.get(name) ?? []), used]);
    }
  }
  const medianOf = (name: string) => median(costs.get(name) ?? []);
  const [there, back] = [medianOf(toFleet), medianOf(fromFleet)];
  costs.delete(toFleet);
  costs.delete(fromFleet);
  const [most] = [...costs]
    .map(([name, used]) => ({ name, value: median(used) }))
    .sort((one, other) => other.value - one.value);
  const all = [...costs.values()].flat();
  const unit = 'ms';
  return [
    {
      measure: 'CPU for a key on Home, median of the most expensive',
      value: most?.value ?? Number.NaN,
      unit: `ms (${most?.name})`,
      goal: '30',
    },
    { measure: 'CPU for a key on Home, p95 of all', value: quantile(all, 0.95), unit, goal: '30' },
    { measure: 'CPU for opening the fleet from Home and coming back', value: there + back, unit },
  ];
}
