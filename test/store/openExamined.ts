import fc from 'fast-check';
import { expect, onTestFinished, vi } from 'vitest';
import { connect } from '../../src/api/client.ts';
import type { Demo } from '../../src/demo/server.ts';
import { idOf, paramsOf } from '../../src/resources/identity.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import type { Row } from '../../src/resources/resource.ts';
import { rules } from '../../src/resources/rules/index.ts';
import { createStores, type Stores } from '../../src/store/stores.ts';
import { partsOf } from './openStores.ts';

/** All stores with everything read that the rules look at, at a moment that passes only where the clock is set on. */
export async function openExamined(demo: Demo, clock = { now: Date.now() }): Promise<Stores> {
  const api = connect({ baseUrl: demo.url, token: demo.tokens.full });
  const stores = createStores({ parts: partsOf(api), start: { screen: 'home' }, now: () => clock.now });
  onTestFinished(async () => {
    stores.close();
    await api.close();
  });
  stores.events.start();
  stores.problems.watch();
  await vi.waitFor(
    () => {
      expect(stores.events.getState().polledAt).toBeDefined();
      expect(stores.problems.getState().examinedAt).toBeDefined();
    },
    { timeout: 30_000 },
  );
  await readBelow(stores);
  stores.events.stop();
  return stores;
}

/** Reads what belongs to the first rows of each resource, as far as rules look at it. */
async function readBelow({ cache, view }: Stores): Promise<void> {
  const names = new Set(rules.flatMap(({ of, reads = [] }) => [of, ...reads]));
  for (const resource of [...names].map(resourceNamed)) {
    if (resource.under === undefined || !resource.list) continue;
    const parent = resourceNamed(resource.under);
    for (const row of parent.under === undefined ? view.rows(parent.name).slice(0, 5) : [])
      await cache.readCollection({ resource: resource.name, operation: 'list', params: paramsOf(parent, row, {}) });
  }
  for (const { of, fetches } of rules) {
    for (const operation of [fetches ?? []].flat())
      for (const row of view.rows(of).slice(0, 5))
        await cache.readAnswer({ resource: of, operation, params: paramsOf(resourceNamed(of), row, {}) });
  }
}

const natural = fc.nat();
/** Something that happens to what is loaded. */
export const step = fc.record({
  kind: fc.constantFrom('change', 'change', 'change', 'add', 'remove', 'events', 'answer', 'whole'),
  list: natural,
  row: natural,
  other: natural,
  field: natural,
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const pick = <T>(items: readonly T[], index: number): T | undefined => items[index % items.length];

/** A row in which one thing is as in another row of its kind. */
function crossed(row: Row, other: Row, field: number): Row {
  const name = pick(
    Object.keys(other).filter((name) => name !== 'id'),
    field,
  );
  return name === undefined ? row : { ...row, [name]: other[name] };
}

/** Has a step happen to the stores. */
export function take({ cache, events }: Stores, { kind, list, row, other, field }: Step): void {
  const { collections, answers } = cache.getState();
  if (kind === 'events') {
    const all = events.getState().events;
    const [from, to] = [pick(all, row), pick(all, other)];
    if (!from || !to) return;
    const event = { ...from, id: Number(all[0]?.id) + 1, entity: to.entity };
    events.setState({ events: [event, ...all.slice(field % 3)] });
    return;
  }
  if (kind === 'answer') {
    const [key, answer] = pick(Object.entries(answers), list) ?? [];
    const those = Object.entries(answers).filter(([name]) => name.split('?')[0] === key?.split('?')[0]);
    const [, from] = pick(those, other) ?? [];
    if (key && answer && from) cache.setState({ answers: { ...answers, [key]: { ...answer, body: from.body } } });
    return;
  }
  const filled = Object.entries(collections).filter(
    ([, { resource, rows }]) => rows.length > 0 && !resourceNamed(resource).local,
  );
  const [key, collection] = pick(filled, list) ?? [];
  if (!key || !collection) return;
  const resource = resourceNamed(collection.resource);
  const [from, to] = [pick(collection.rows, row), pick(collection.rows, other)];
  if (!from || !to) return;
  const params = paramsOf(resource, from, collection.query.params);
  if (kind === 'whole') {
    const isWhole = collection.loadedAt !== undefined;
    const change = { ...collection, loadedAt: isWhole ? undefined : 1 };
    cache.setState({ collections: { ...collections, [key]: change } });
  } else if (kind === 'remove') cache.dropRow(resource, params);
  else if (kind === 'change') cache.putRow(resource, params, crossed(from, to, field));
  else if (typeof from.id === 'number') {
    const added = { ...crossed(from, to, field), id: 5_000_000 + (field % 1000) };
    cache.putRow(resource, { ...params, [resource.param]: idOf(resource, added) }, added);
  }
}
