import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { version } from '../api/server.ts';
import { openSkydeck, type Skydeck, type SkydeckOptions, startQuietDemo } from './skydeck.ts';

/** Asks the API as somebody else does. */
async function ask(demo: Demo, method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${demo.tokens.full}`, 'content-type': 'application/json' };
  const answer = await fetch(`${demo.url}${version}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, unknown>;
}

const rowsAt = async (demo: Demo, path: string) =>
  (await ask(demo, 'GET', `${path}?page_size=100`)).data as readonly Record<string, unknown>[];

/** An account of three zones of 25 records: four addresses of web-1 and one of its names, others of the mail server. */
async function startDay(): Promise<Demo> {
  const demo = await startQuietDemo();
  for (const { id } of await rowsAt(demo, '/domains')) await ask(demo, 'DELETE', `/domains/${id}`);
  const web = (await serversOf(demo)).get('web-1');
  const mail = (await serversOf(demo)).get('mail');
  for (const zone of ['one.example', 'two.example', 'three.example']) {
    const { id } = await ask(demo, 'POST', '/domains', { domain: zone, type: 'master', soa_email: `a@${zone}` });
    const add = (record: object) => ask(demo, 'POST', `/domains/${id}/records`, record);
    if (zone !== 'three.example') {
      await add({ type: 'A', name: 'www', target: web?.ipv4 });
      await add({ type: 'AAAA', name: 'www', target: web?.ipv6 });
    } else await add({ type: 'A', name: 'shop', target: web?.ipv4 });
    await add({ type: 'CNAME', name: 'alias', target: zone === 'three.example' ? 'www.one.example' : `www.${zone}` });
    const rest = zone === 'three.example' ? 23 : 22;
    for (let nth = 0; nth < rest; nth++) await add({ type: 'A', name: `host-${nth}`, target: mail?.ipv4 });
  }
  return demo;
}

async function serversOf(demo: Demo): Promise<ReadonlyMap<string, { ipv4: string; ipv6: string }>> {
  const rows = (await rowsAt(demo, '/server/instances')) as readonly {
    label: string;
    ipv4: readonly string[];
    ipv6: string;
  }[];
  return new Map(
    rows.map(({ label, ipv4, ipv6 }) => [label, { ipv4: ipv4[0] ?? '', ipv6: ipv6.replace(/\/\d+$/, '') }]),
  );
}

let demo: Demo;
beforeAll(async () => {
  demo = await startDay();
});
afterAll(() => demo.close());

/** Counts keys; a pasted text is one, and of what is typed each letter. */
function counting(skydeck: Skydeck) {
  let keys = 0;
  return {
    press: async (...those: readonly string[]) => {
      keys += those.length;
      for (const key of those) await skydeck.press(key);
    },
    type: async (text: string) => {
      keys += text.length;
      await skydeck.type(text);
    },
    count: () => keys,
  };
}

const open = (more: SkydeckOptions = {}) => openSkydeck({ demo, columns: 120, rows: 40, ...more });

const allRecords = async () => {
  const zones = await rowsAt(demo, '/domains');
  return (await Promise.all(zones.map(({ id }) => rowsAt(demo, `/domains/${id}/records`)))).flat();
};

test('the TTL of 75 records in three zones is one form and one question, 13 keys, and u takes it back', async () => {
  const skydeck = await open();
  const hands = counting(skydeck);
  await hands.press(':');
  await hands.type('rec');
  await hands.press('enter');
  await skydeck.waitFor('Records  75 ');
  await hands.press('*');
  await skydeck.waitFor('marked 75');
  await hands.press('a', 'T');
  await skydeck.waitFor('Set the TTL of 75 records');
  await hands.press('right', 'right', 'ctrl-s');
  await skydeck.waitFor('→ 300  5 minutes');
  await skydeck.waitFor(/A www +default → 5 min +one\.example/);
  await hands.press('end', 'enter');
  await skydeck.waitFor('Set the TTL: all 75 done');
  expect(hands.count()).toBeLessThanOrEqual(13);
  expect(new Set((await allRecords()).map(({ ttl_sec }) => ttl_sec))).toEqual(new Set([300]));
  await skydeck.press('u');
  await skydeck.waitFor('Take back');
  await skydeck.press('end', 'enter');
  await skydeck.waitFor(/sort: Zone ↑ +1–/);
  const isBack = async () => expect((await allRecords()).every(({ ttl_sec }) => ttl_sec === 0)).toBe(true);
  await vi.waitFor(isBack, { timeout: 20_000 });
});

test('five records of two kinds in three zones move to another server in 10 keys and the names', async () => {
  const servers = await serversOf(demo);
  const skydeck = await open({ place: { area: 'records' } });
  const hands = counting(skydeck);
  await skydeck.waitFor('Records  75 ');
  await skydeck.waitFor('web-1');
  await hands.press('/');
  await skydeck.type('type:a|aaaa points-to:web-1');
  await hands.press('enter');
  await skydeck.waitFor('Records  5 of 75');
  await hands.press('*', 'e');
  await skydeck.waitFor('Edit 5 records');
  await hands.press('down', 'ctrl-o');
  await skydeck.type('web-2');
  await hands.press('enter', 'ctrl-s');
  const [from, to] = [servers.get('web-1'), servers.get('web-2')];
  await skydeck.waitFor(`${from?.ipv4} → ${to?.ipv4}`);
  await skydeck.waitFor(`${from?.ipv6} → ${to?.ipv6}`);
  await hands.press('enter');
  await skydeck.waitFor('Edit: all 5 done');
  expect(hands.count()).toBeLessThanOrEqual(10);
  expect(skydeck.changes).toHaveLength(5);
  expect(new Set(skydeck.changes.map(({ body }) => JSON.stringify(body)))).toEqual(
    new Set([JSON.stringify({ target: to?.ipv4 }), JSON.stringify({ target: to?.ipv6 })]),
  );
  // The aliases lead there as well, also from another zone.
  await skydeck.press('/', 'ctrl-u');
  await skydeck.type('points-to:web-2');
  await skydeck.press('enter');
  await skydeck.waitFor('Records  8 of 75');
  await skydeck.press('u');
  await skydeck.waitFor('Take back');
  await skydeck.press('ctrl-s', 'enter');
  await vi.waitFor(
    async () => {
      expect((await allRecords()).filter(({ target }) => target === from?.ipv4)).toHaveLength(3);
    },
    { timeout: 20_000 },
  );
});

test('where an address stands takes three keys, and all dangling records four', async () => {
  const mail = (await serversOf(demo)).get('mail')?.ipv4 ?? '';
  const gone = await ask(demo, 'POST', `/domains/${(await rowsAt(demo, '/domains'))[0]?.id}/records`, {
    type: 'A',
    name: 'left',
    target: '203.0.113.251',
  });
  const skydeck = await open({ place: { area: 'records' } });
  await skydeck.waitFor('Records  76 ');
  await skydeck.press('/');
  await skydeck.type(mail);
  await skydeck.press('enter');
  await skydeck.waitFor('Records  67 of 76');
  const hands = counting(skydeck);
  await hands.press(':');
  await hands.type('da');
  await skydeck.waitFor('Dangling records');
  await hands.press('enter');
  await skydeck.waitFor('Records  1 of 76');
  await skydeck.waitFor(/left +203\.0\.113\.251 .* none/);
  expect(hands.count()).toBe(4);
  await ask(demo, 'DELETE', `/domains/${(await rowsAt(demo, '/domains'))[0]?.id}/records/${gone.id}`);
});

test('replace OLD by NEW plans the records of all zones, and sends nothing', async () => {
  const mail = (await serversOf(demo)).get('mail')?.ipv4 ?? '';
  const skydeck = await open({ readOnly: true });
  await skydeck.press(':');
  await skydeck.type(`replace ${mail} by 2001:db8::1`);
  await skydeck.waitFor('records of one type have one kind of target');
  await skydeck.press('ctrl-u');
  await skydeck.type(`replace ${mail} by 198.51.100.7`);
  await skydeck.press('enter');
  await skydeck.waitFor(/Plan .*67/);
  await skydeck.waitFor(`Target: ${mail} → 198.51.100.7`);
  expect(skydeck.changes).toEqual([]);
  await skydeck.press('esc', ':');
  await skydeck.type('replace 192.0.2.250 by 198.51.100.7');
  await skydeck.press('enter');
  await skydeck.waitFor('No record has the target 192.0.2.250.');
  // The plan is shown where the new steps begin.
  await skydeck.press(':');
  await skydeck.type(`replace ${mail} by 198.51.100.8`);
  await skydeck.press('enter');
  await skydeck.waitFor(/Plan .*134/);
  await skydeck.waitFor(() => /❯ +68 /.test(skydeck.cursorLine()));
});

test('a guard of one zone leaves its records out, and the others are planned', async () => {
  const guards = [
    { for: 'domains', where: 'domain:three', actions: ['*'], deny: true, reason: 'Three is changed by the pipeline.' },
  ];
  const skydeck = await open({ configuration: { guards } as never, place: { area: 'records' } });
  await skydeck.waitFor('Records  75 ');
  await skydeck.waitFor(/⚿ +three\.example/);
  expect(skydeck.text()).not.toMatch(/⚿ +one\.example/);
  await skydeck.press('/');
  await skydeck.type('type:a name:shop|www');
  await skydeck.press('enter');
  await skydeck.waitFor('Records  3 of 75');
  await skydeck.press('*', 'a', 'T', 'right', 'right', 'ctrl-s');
  await skydeck.waitFor('Set the TTL of 2 of 3 records');
  await skydeck.waitFor('1 skipped: guarded (1)');
  await skydeck.press('ctrl-a');
  await skydeck.waitFor('2 steps are in the plan');
  expect(skydeck.changes).toEqual([]);
});

test('records are a view and marked rows of several zones are deleted together', async () => {
  const configuration = { views: { web: { area: 'records', filter: 'zone:one name:host', sort: '-name' } } };
  const skydeck = await open({ configuration });
  await skydeck.press(':');
  await skydeck.type('web');
  await skydeck.waitFor(/❯.* web +view/);
  await skydeck.press('enter');
  await skydeck.waitFor('Records › web');
  await skydeck.waitFor('22 of 75');
  await skydeck.waitFor(/one\.example +A +host-21/);
  await skydeck.press('/', 'ctrl-u');
  await skydeck.type('host-7');
  await skydeck.press('enter');
  await skydeck.waitFor('Records › web (changed)  3 of 75');
  // One row is asked about with its zone, as the list has rows of several.
  await skydeck.press('d');
  await skydeck.waitFor(/Delete in zone \w+\.example\?/);
  await skydeck.press('esc', 'n');
  await skydeck.waitFor(/New record in zone \w+\.example/);
  await skydeck.press('esc', '*', 'd');
  await skydeck.waitFor('Delete 3 of 3 records');
  await skydeck.press('enter');
  await skydeck.waitFor('Delete: all 3 done');
  expect(new Set(skydeck.changes.map(({ path }) => path.split('/')[2])).size).toBe(3);
});
