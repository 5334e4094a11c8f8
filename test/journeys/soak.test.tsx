import { expect, test } from 'vitest';
import { type Random, randomFrom } from '../../src/demo/engine/random.ts';
import { changesAt } from './received.ts';
import { openSkydeck, type Skydeck } from './skydeck.ts';

const everything = ['errors', 'unavailable', 'limits', 'drops', 'hangs', 'pages', 'truncated', 'redirects', 'skew'];

/** A walk that was begun, as far as it is known. */
interface Walk {
  skydeck: Skydeck;
  random: Random;
  /** Names of domains that forms were sent for. */
  sent: string[];
  /** The name in the form of a new domain that was not done yet. */
  draft?: string;
  /** The number of times that a form was sent. */
  attempts: number;
}

const areas = ['servers', 'volumes', 'domains', 'nodebalancers', 'images', 'tickets', 'events', 'home'] as const;

type Look = (walk: Walk) => Promise<void>;

/** Keys that look at things; each leaves a state in which the next can begin. */
const looks: readonly [Look, ...Look[]] = [
  async ({ skydeck, random }) => {
    await skydeck.press(':');
    await skydeck.type(random.pick(areas));
    await skydeck.press('enter');
  },
  ({ skydeck, random }) => skydeck.press(...Array<string>(random.integer(1, 6)).fill('down')),
  ({ skydeck }) => skydeck.press('enter', 'tab', 'tab'),
  ({ skydeck }) => skydeck.press('/', 'a', 'enter', '/', 'ctrl-u', 'enter'),
  ({ skydeck }) => skydeck.press('s', 'down', 'enter'),
  ({ skydeck }) => skydeck.press('ctrl-r'),
  ({ skydeck }) => skydeck.press('?', 'down', 'esc'),
  ({ skydeck }) => skydeck.press('a', 'esc'),
  ({ skydeck }) => skydeck.press('s', 'C', 'esc'),
  ({ skydeck }) => skydeck.press('['),
];

/** Whether the form of a new domain is gone, or says in place of its note why not. */
const isAnswered = (text: string): boolean =>
  !text.includes('── New domain') || !/Sending …|You must own the domain/.test(text) || text.includes('already exists');

/** Sends the form of a new domain, a kept one with what was typed before. */
async function makeDomain(walk: Walk): Promise<void> {
  const { skydeck, random } = walk;
  await skydeck.press('esc', 'esc');
  await skydeck.goTo('domains');
  await skydeck.press('n');
  await skydeck.waitFor('Import a domain');
  await skydeck.press('N');
  await skydeck.waitFor('── New domain');
  if (walk.draft) expect(skydeck.text()).toContain(walk.draft);
  else {
    walk.draft = `soak-${walk.sent.length}.example`;
    walk.sent.push(walk.draft);
    await skydeck.fill('Domain', walk.draft);
    await skydeck.fill('SOA email', 'soak@example.org');
  }
  for (let times = random.integer(1, 2); times > 0 && walk.draft; times--) {
    walk.attempts++;
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(isAnswered, { timeoutMs: 60_000 });
    if (!skydeck.text().includes('── New domain')) walk.draft = undefined;
    else expect(skydeck.text()).toContain(walk.draft);
  }
  await skydeck.press('esc');
}

test('a walk through an API that fails in every way: nothing breaks, nothing is lost, nothing is done twice', async () => {
  const seed = Number(process.env.SOAK_SEED ?? 7);
  const skydeck = await openSkydeck({
    demo: { seed },
    columns: 118,
    rows: 50,
    timeoutMs: 250,
    place: { area: 'domains' },
  });
  await skydeck.waitFor('old-shop.example');
  const received = changesAt(skydeck.demo);
  const walk: Walk = { skydeck, random: randomFrom(seed, 4200), sent: [], attempts: 0 };
  try {
    for (let round = 0; round < 6; round++) {
      // Now all at once, so that little gets through, now one at a time.
      const faults = walk.random.chance(0.5) ? everything : [walk.random.pick(['truncated', ...everything])];
      skydeck.demo.setFaults(faults.map((fault) => `${fault}:0.2`));
      for (let step = walk.random.integer(3, 6); step > 0; step--) await walk.random.pick(looks)(walk);
      await makeDomain(walk);
    }

    skydeck.demo.setFaults([]);
    await skydeck.press('ctrl-r');
    await skydeck.waitFor((text) => !/Next try|Trying now/.test(text), { timeoutMs: 60_000 });
    for (let more = 0; walk.draft && more < 3; more++) await makeDomain(walk);
    for (const area of ['servers', 'volumes', 'domains']) {
      await skydeck.goTo(area);
      await skydeck.waitFor(
        (text) => /(api-1|archive-2023|old-shop\.example) /.test(text) && !text.includes('cannot be'),
      );
    }

    const { data } = await skydeck.elsewhere('GET', '/domains');
    const names = (data as { domain: string }[]).map(({ domain }) => domain).filter((name) => name.startsWith('soak-'));
    expect(names.toSorted()).toEqual(walk.sent.toSorted());
    // Each attempt sent one change or none, and every change is in the record of changes.
    expect(received.length).toBeLessThanOrEqual(walk.attempts);
    expect(received).toHaveLength(skydeck.changes.length);
  } catch (error) {
    throw new Error(`with SOAK_SEED=${seed}`, { cause: error });
  }
}, 300_000);
