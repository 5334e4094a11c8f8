import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parsePlan } from '../../../src/config/parsePlan.ts';
import { startOf } from '../../../src/resources/body.ts';
import { isSameEntry } from '../../../src/resources/edits.ts';
import { resourceNamed } from '../../../src/resources/index.ts';
import type { Draft, Params, Row } from '../../../src/resources/resource.ts';
import { cachedRow, changesFor, type Submission } from '../../../src/store/changes/change.ts';
import { nextBack } from '../../../src/store/changes/nextBack.ts';
import { sendChanges } from '../../../src/store/changes/send.ts';
import type { FormOverlay } from '../../../src/store/navigation.ts';
import { carryOutPlan } from '../../../src/store/plans/carryOut.ts';
import type { Plan } from '../../../src/store/plans/plan.ts';
import { writtenPlan } from '../../../src/store/plans/planFile.ts';
import { putInPlan } from '../../../src/store/plans/planning.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { seed } from '../../draw.ts';
import { actionOf } from '../../resources/actionOf.ts';
import { openStores } from '../openStores.ts';
import { type RowsCloud, rowsCloud } from './rowsCloud.ts';

const disk = (id: number | null) => ({ disk_id: id, volume_id: null });
const empty = Object.fromEntries(
  ['sda', 'sdb', 'sdc', 'sdd', 'sde', 'sdf', 'sdg', 'sdh'].map((slot) => [slot, disk(null)]),
);

const first = {
  '/domains/1': {
    id: 1,
    domain: 'example.com',
    type: 'slave',
    status: 'active',
    soa_email: 'me@example.com',
    description: 'old',
    group: '',
    tags: ['one', 'two'],
    master_ips: ['192.0.2.1', '192.0.2.2'],
    axfr_ips: ['192.0.2.11', '192.0.2.12'],
    ttl_sec: 0,
    refresh_sec: 0,
    retry_sec: 0,
    expire_sec: 0,
  },
  '/server/instances/7': {
    id: 7,
    label: 'web-1',
    status: 'running',
    group: '',
    tags: ['one', 'two'],
    region: 'us-east',
    alerts: { cpu: 90, io: 10_000, network_in: 10, network_out: 10, transfer_quota: 80 },
    watchdog_enabled: true,
    specs: {},
    ipv4: [],
  },
  '/server/instances/7/configs/5': {
    id: 5,
    label: 'boot',
    comments: 'old',
    kernel: 'server/latest',
    root_device: '/dev/sda',
    run_level: 'default',
    virt_mode: 'paravirt',
    memory_limit: 0,
    devices: { ...empty, sda: disk(1), sdb: disk(3) },
    interfaces: [],
    helpers: {},
  },
  '/server/stackscripts/3': {
    id: 3,
    label: 'setup',
    script: '#!/bin/sh',
    description: 'old',
    rev_note: '',
    images: ['server/debian11', 'server/debian12'],
    is_public: false,
    mine: true,
  },
};

type Kind = 'domains' | 'servers' | 'configs' | 'stackscripts';
const placeOf: Readonly<Record<Kind, { path: keyof typeof first; params: Params }>> = {
  domains: { path: '/domains/1', params: { domainId: '1' } },
  servers: { path: '/server/instances/7', params: { serverId: '7' } },
  configs: { path: '/server/instances/7/configs/5', params: { serverId: '7', configId: '5' } },
  stackscripts: { path: '/server/stackscripts/3', params: { stackscriptId: '3' } },
};

/** Something that is done in a form: a word put into a list or taken out of it, or a value set. */
interface Deed {
  kind: Kind;
  action: string;
  field: string;
  add?: string;
  remove?: string;
  set?: string;
}

const listed = (kind: Kind, field: string, words: readonly string[]): fc.Arbitrary<Deed> =>
  fc.record({
    kind: fc.constant(kind),
    action: fc.constant('edit'),
    field: fc.constant(field),
    ...{ add: fc.constantFrom(undefined, ...words), remove: fc.constantFrom(undefined, ...words.slice(1)) },
  }) as fc.Arbitrary<Deed>;
const value = (kind: Kind, field: string, ...values: readonly string[]): fc.Arbitrary<Deed> =>
  fc.record({
    kind: fc.constant(kind),
    action: fc.constant('edit'),
    field: fc.constant(field),
    set: fc.constantFrom(...values),
  });
const tags = ['one', 'two', 'three', 'four'];
const tagging = (kind: Kind): fc.Arbitrary<Deed> =>
  fc.oneof(
    fc.record({
      kind: fc.constant(kind),
      action: fc.constant('tag'),
      field: fc.constant('tags'),
      add: fc.constantFrom(...tags),
    }),
    fc.record({
      kind: fc.constant(kind),
      action: fc.constant('untag'),
      field: fc.constant('tags'),
      remove: fc.constantFrom(...tags),
    }),
  );
const addresses = (from: number) => [1, 2, 3, 4].map((last) => `192.0.2.${from + last}`);
const lists = fc.oneof(
  tagging('domains'),
  tagging('servers'),
  listed('domains', 'tags', tags),
  listed('domains', 'master_ips', addresses(0)),
  listed('domains', 'axfr_ips', addresses(10)),
  listed('stackscripts', 'images', ['server/debian11', 'server/debian12', 'server/ubuntu22', 'server/arch']),
);

const mine = fc.oneof(
  lists,
  value('domains', 'description', 'new', 'newer'),
  value('servers', 'alerts.cpu', '80', '70'),
  value('servers', 'label', 'web-2', 'web-3'),
  value('configs', 'devices.sda', 'disks/2'),
  value('configs', 'devices.sdb', 'disks/4', ''),
  value('configs', 'devices.sdc', 'disks/5', 'disks/6'),
  value('configs', 'comments', 'new'),
  value('stackscripts', 'description', 'new'),
);
const theirs = fc.oneof(
  lists,
  value('domains', 'ttl_sec', '300', '3600'),
  value('servers', 'alerts.io', '20000'),
  value('servers', 'group', 'web'),
  value('configs', 'devices.sdd', 'disks/7', 'disks/8'),
  value('configs', 'memory_limit', '2048'),
  value('stackscripts', 'rev_note', 'second'),
);

/** The part of a deed that a form on this row lets be entered: no word that is there is put in, none taken out that is not. */
function possible(deed: Deed, row: Row): Deed {
  const { field, add, remove, set } = deed;
  const words = set === undefined ? (row[field] as readonly string[]) : [];
  const isAdded = add !== undefined && !words.includes(add);
  const isRemoved = remove !== undefined && words.includes(remove);
  return { ...deed, add: isAdded ? add : undefined, remove: isRemoved ? remove : undefined };
}

/** The entries for a deed in a form on this row; undefined where the form does not let it be entered. */
function entered(
  { kind, action: named, field, add, remove, set }: Deed,
  row: Row,
  stores: Stores,
): Submission | undefined {
  const resource = resourceNamed(kind);
  const action = actionOf(resource, named);
  const { params } = placeOf[kind];
  const now = startOf(resource, action, row, stores.view, params);
  const held = named === 'edit' ? now[field] : row[field];
  const words: readonly string[] = Array.isArray(held) ? held : [];
  const added = add !== undefined && !words.includes(add) ? [add] : [];
  const removed = remove !== undefined && words.includes(remove) ? [remove] : [];
  if (set === undefined && added.length + removed.length === 0) return undefined;
  const left = [...words.filter((word) => !removed.includes(word)), ...added];
  const entry = set ?? (named === 'edit' ? left : [...added, ...removed]);
  if (isSameEntry(entry, now[field])) return undefined;
  const mine: Draft = { [field]: entry };
  return {
    resource,
    action,
    targets: [{ row, params }],
    params,
    draft: { ...now, ...mine },
    edits: { opened: now, mine },
  };
}

/** The stores of a session that has just read all rows. */
async function session({ api }: RowsCloud): Promise<Stores> {
  const stores = openStores(api);
  for (const kind of Object.keys(placeOf) as Kind[])
    await stores.cache.readRow(resourceNamed(kind), placeOf[kind].params);
  return stores;
}

const rowIn = (stores: Stores, kind: Kind): Row =>
  cachedRow(stores.view, resourceNamed(kind), placeOf[kind].params) ?? {};

/** Does a deed by a form on the row as it is; whether the form let it be entered. */
async function directly(cloud: RowsCloud, deed: Deed): Promise<Stores | undefined> {
  const stores = await session(cloud);
  const submission = entered(deed, rowIn(stores, deed.kind), stores);
  if (!submission) return undefined;
  const { results } = await sendChanges(stores, submission, changesFor(submission, stores.view));
  expect(results.map(({ says, state }) => says ?? state)).toEqual(['done']);
  return stores;
}

/** The rows, lists in no order. */
const rowsOf = ({ rows }: RowsCloud) =>
  JSON.stringify(
    [...rows].map(([path, row]) => [path, row]),
    (_, one) => (Array.isArray(one) && one.every((word) => typeof word === 'string') ? [...one].sort() : one),
  );

/** Puts those deeds into the plan of a session that the form lets in. */
async function plannedIn(cloud: RowsCloud, deeds: readonly Deed[]) {
  const stores = await session(cloud);
  const planned = deeds.map((deed) => {
    const row = rowIn(stores, deed.kind);
    const submission = entered(deed, row, stores);
    if (submission) expect(putInPlan(stores, submission)).toBeUndefined();
    return submission && possible(deed, row);
  });
  return { plan: { ...stores.plans.plan(), host: 'api.example.com' } as Plan, planned };
}

/** Carries out a plan; before each of its steps the colleague does what is given for it. */
async function carriedOut(cloud: RowsCloud, plan: Plan, between: readonly (() => void)[]): Promise<Plan> {
  const stores = openStores(cloud.api);
  let begun = 0;
  const go = () => between[begun++]?.();
  go();
  return carryOutPlan(stores, plan, {
    keep: ({ steps }) => {
      if (steps.filter(({ result }) => result?.state === 'done').length === begun) go();
    },
  });
}

/** Does to a row what a colleague does, at once. */
function doneBy(cloud: RowsCloud, { kind, field, add, remove, set }: Deed): void {
  const { path } = placeOf[kind];
  const row = structuredClone(cloud.rows.get(path)) as Record<string, unknown>;
  const names = field.split('.');
  const last = names.pop() ?? '';
  const holder = names.reduce<Record<string, unknown>>((inner, name) => inner[name] as Record<string, unknown>, row);
  const number = Number(set);
  if (set !== undefined)
    holder[last] = set.startsWith('disks/') ? disk(Number(set.slice(6))) : Number.isNaN(number) ? set : number;
  else {
    const words = (holder[last] as string[]).filter((word) => word !== remove || word === add);
    holder[last] = add === undefined || words.includes(add) ? words : [...words, add];
  }
  cloud.rows.set(path, row);
}

const story = fc.array(fc.record({ deed: mine, before: fc.option(theirs, { nil: undefined }) }), {
  minLength: 1,
  maxLength: 8,
});

const saved = (plan: Plan): Plan => {
  const written = writtenPlan(plan, { program: '0.1.0', now: 0 });
  if ('mistakes' in written) throw new Error(written.mistakes.join());
  const parsed = parsePlan(written.text);
  if ('mistakes' in parsed) throw new Error(parsed.mistakes.join());
  return parsed.plan;
};

test.each([
  ['is carried out', (plan: Plan) => plan],
  ['is saved and applied', saved],
])(
  `a plan that %s leaves the rows as its changes sent one by one, with a colleague in between (seed ${seed})`,
  async (_, by) => {
    await fc.assert(
      fc.asyncProperty(story, async (parts) => {
        const planning = rowsCloud(first);
        const { plan, planned } = await plannedIn(
          planning,
          parts.map(({ deed }) => deed),
        );
        fc.pre(plan.steps.length > 0);
        const one = rowsCloud(first);
        for (const [nth, { before }] of parts.entries()) {
          const deed = planned[nth];
          if (deed && before) doneBy(one, before);
          if (deed) await directly(one, deed);
        }
        const other = rowsCloud(first);
        const between = parts
          .filter((_, nth) => planned[nth])
          .map(
            ({ before }) =>
              () =>
                before && doneBy(other, before),
          );
        const after = await carriedOut(other, by(plan), between);
        expect(after.steps.flatMap(({ result }) => (result?.state === 'done' ? [] : [result?.says]))).toEqual([]);
        expect(rowsOf(other)).toBe(rowsOf(one));
        expect(other.writes.length).toBe(one.writes.length);
      }),
      { seed, numRuns: 40 },
    );
  },
);

test(`a change that is taken back leaves what a colleague did in between (seed ${seed})`, async () => {
  await fc.assert(
    fc.asyncProperty(mine, theirs, async (deed, other) => {
      const cloud = rowsCloud(first);
      const alone = rowsCloud(first);
      const stores = await directly(cloud, deed);
      fc.pre(stores !== undefined && other.field !== deed.field);
      doneBy(cloud, other);
      doneBy(alone, other);
      if (!stores) return;
      await nextBack(stores, 'undo');
      const overlay = stores.navigation.getState().overlays.at(-1) as FormOverlay;
      const resource = resourceNamed(overlay.resource);
      const action = actionOf(resource, overlay.action);
      const [own] = overlay.takesBack?.own ?? [];
      if (!own) throw new Error('nothing is taken back');
      const { params } = placeOf[deed.kind];
      const submission: Submission = {
        ...{ resource, action, params, draft: own.mine, edits: own },
        targets: [{ row: rowIn(stores, deed.kind), params }],
      };
      expect(putInPlan(stores, submission)).toBeUndefined();
      const after = await carriedOut(cloud, stores.plans.plan(), []);
      expect(after.steps.map(({ result }) => result?.says ?? result?.state)).toEqual(['done']);
      expect(rowsOf(cloud)).toBe(rowsOf(alone));
    }),
    { seed, numRuns: 40 },
  );
});
