import { expect, test } from 'vitest';
import { answered } from './answered.ts';
import { startHeldDemo } from './heldDemo.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, startSlowDemo } from './skydeck.ts';

const web5 = { area: 'servers', id: '48200113' };

test('a server tells what it does and what uses it, and each line leads there', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: web5 });
  await skydeck.waitFor(/● running {2}web-5 .* \$29\.00 a month/);
  await skydeck.waitFor(/CPU [^\n]*% +p95 [^\n]*\n[^\n]*\n +[▁-█]{60,}[\s\S]*Disk I\/O/);
  await skydeck.waitFor(/node +web-5 +web-lb port 443 +● up[\s\S]*record +A web-5 +example\.net/);
  expect(skydeck.text()).not.toContain('❯');
  expect(skydeck.text()).not.toContain('enter open');
  // The details of rows of one kind stand below each other, and none is cut.
  const nodes = skydeck
    .text()
    .split('\n')
    .filter((line) => /^ +node /.test(line))
    .map((line) => line.slice(0, 63));
  expect(nodes.map((line) => line.indexOf('● up'))).toEqual([39, 39]);
  expect(nodes.join()).not.toContain('…');
  // The figures beside the graphs are not told again among the facts.
  expect(skydeck.text()).not.toMatch(/ (Net in|Net out) {2,}/);
  expect(skydeck.text()).toMatch(/server snapshot +scheduler +28 min 38 s/);
  expect(skydeck.text()).toMatch(/ Net out alert +\d+ Mbit\/s/);

  await skydeck.pointAt('port 443');
  await skydeck.waitFor('enter open');
  await skydeck.press('enter');
  await skydeck.waitFor(/NodeBalancers › web-lb › [\s\S]*Label +web-5/);
  await skydeck.press('[');
  await skydeck.waitFor(/❯ node +web-5 +web-lb port 443/);
  await skydeck.pointAt('tags');
  await skydeck.press('enter');
  await skydeck.waitFor('── Related to web-5: Tags ─');
  await skydeck.press('esc');
  await skydeck.pointAt('watchdog reboot');
  await skydeck.press('enter');
  await skydeck.waitFor(/Events › watchdog reboot web-5/);
  await skydeck.press('[');
  await skydeck.press('g', 'down');
  await skydeck.waitFor(/❯ Last 24 hours/);
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers › web-5[\s\S]*❯ CPU +%/);
  await skydeck.press('1');
  await skydeck.waitFor(/❯ Last 24 hours/);
  await skydeck.press('up');
  await skydeck.waitFor((frame) => !frame.includes('❯'));
});

test('a domain counts its records and tells whom they lead to; a volume how to mount it and its server', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 40, place: { area: 'domains', id: '1480201' } });
  await skydeck.waitFor(/A +api /);
  await skydeck.press('1');
  await skydeck.waitFor(/Records {2}13[\s\S]*MX +2[\s\S]*NodeBalancer +web-lb +A @[\s\S]*server +mail +A mail/);
  await skydeck.pointAt('MX  ');
  await skydeck.press('enter');
  await skydeck.waitFor(/Records {2}2 of 13 [\s\S]*filter: type:MX/);
  await skydeck.goTo('volumes');
  await skydeck.pointAt('api-1-uploads');
  await skydeck.press('enter');
  await skydeck.waitFor(/fstab line[\s\S]*server +api-1 +● running/);
  expect(skydeck.text()).toMatch(/mount line {2}\S.*\n {14}\/dev\/.*\n {14}\/mnt\//);
  await skydeck.pointAt('● running  192.0.2.18');
  await skydeck.press('enter');
  await skydeck.waitFor(/Servers › api-1/);

  // The noun of several is not cut where that of one is shorter.
  await skydeck.goTo('domains');
  await skydeck.pointAt('  shop.example');
  await skydeck.press('enter');
  await skydeck.waitFor(/Domains › shop\.example/);
  await skydeck.press('1');
  await skydeck.waitFor(/ tags {2}prod shop/);
});

test('where there is no room for blocks nothing is read for them, and all facts are there', async () => {
  const skydeck = await openSkydeck({ columns: 60, rows: 16, place: web5 });
  await skydeck.waitFor(/● running {2}web-5[\s\S]*Facts[\s\S]*vCPU +2/);
  await answered(skydeck, '/server/instances/48200113/transfer');
  await skydeck.press('G');
  await skydeck.waitFor(/Events ─[\s\S]*watchdog reboot/);
  await skydeck.press('g');
  await skydeck.waitFor('Facts');
  expect(new Set(skydeck.requests.map(({ path }) => path))).toEqual(
    new Set([
      '/account/events',
      '/server/instances/48200113',
      '/server/instances/48200113/stats',
      '/server/instances/48200113/transfer',
      // Of which its cost is told, which is one of the facts.
      '/server/types',
    ]),
  );
  skydeck.resize(120, 40);
  await skydeck.waitFor(/CPU [^\n]*%[^\n]*\n[\s\S]*[▁-█]{40,}[\s\S]*node +web-5/);
  expect(skydeck.requests.filter(({ path }) => path.endsWith('/stats'))).toHaveLength(1);
});

test('a job under way stands on top and moves on; a problem leads to its place in the list', async () => {
  const demo = await startSlowDemo();
  try {
    const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: web5 });
    await skydeck.waitFor(/● running {2}web-5/);
    await skydeck.press('a', 'Z');
    await skydeck.waitFor('── Resize web-5');
    await skydeck.pick('Type', 'Standard 8 GB');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('Resizes web-5 from Standard 4 GB (g6-standard-2)');
    await skydeck.press('enter');
    await skydeck.waitFor('Resize: web-5');
    demo.pass(1);
    await skydeck.waitFor(/◐ [^\n]*resize[^\n]*\d+%[^\n]* left/, { timeoutMs: 20_000 });
    const done = () => Number(/ resize[^\n]*?(\d+)%/.exec(skydeck.text())?.[1]);
    const before = done();
    demo.pass(1);
    await skydeck.press('ctrl-r');
    await skydeck.waitFor(() => done() > before, { timeoutMs: 20_000 });

    await skydeck.goTo('servers');
    await skydeck.pointAt('batch-4 ');
    await skydeck.press('enter');
    await skydeck.waitFor(/✗ batch-4 is offline; its last boot failed/);
    await skydeck.waitFor(/✗ +\d+ h {2}server boot[\s\S]*root device of the configuration/);
    await skydeck.press('down');
    await skydeck.waitFor(/❯ ✗ batch-4/);
    await skydeck.waitFor('f fix');
    await skydeck.press('enter');
    await skydeck.waitFor(/Problems[\s\S]*❯[^\n]*batch-4/);
  } finally {
    await demo.close();
  }
});

test('what the token may not read is not allowed, and what is not read yet is never none', async () => {
  const related = /^\/(volumes|nodebalancers|domains)$/;
  let mayRead = false;
  /** A server that nothing uses, as far as one may know. */
  const other = await startOtherApi(({ path, text }) => {
    if (related.test(path))
      return mayRead ? JSON.stringify({ data: [], page: 1, pages: 1, results: 0 }) : refusal(403, 'Unauthorized');
    if (!path.startsWith('/server/instances') || !/^\/server\/instances(\/\d+)?$/.test(path)) return undefined;
    const { data, ...one } = JSON.parse(text) as { data?: object[] };
    const bare = (row: object) => ({ ...row, tags: [], image: null, backups: null, ipv4: [], ipv6: null });
    return JSON.stringify(data ? { ...one, data: data.map(bare) } : bare(one));
  });
  const place = { area: 'servers', id: '48200101' };
  const refused = await openSkydeck({ demo: other, columns: 120, rows: 40, place });
  await refused.waitFor(/Related[\s\S]*not allowed/);
  expect(refused.text()).not.toContain('Nothing uses it');
  await refused.close();
  mayRead = true;
  const allowed = await openSkydeck({ demo: other, columns: 120, rows: 40, place });
  await allowed.waitFor(/Related[\s\S]*Nothing uses it\./);
});

test('a fact that is still read says so until it is there', async () => {
  const demo = await startHeldDemo(({ url = '' }) => url.endsWith('/transfer'));
  const skydeck = await openSkydeck({ demo, columns: 120, rows: 40, place: web5 });
  await skydeck.waitFor((frame) => / Transfer +Reading …/.test(frame) && demo.held > 0);
  demo.release();
  await skydeck.waitFor(/ Transfer +[\d.]+%/);
});

test('of an API that leaves fields out, refuses statistics or answers none, the rest is shown', async () => {
  const other = await startOtherApi(({ path, text, status }) => {
    if (path.endsWith('/stats')) return refusal(400, 'Stats are unavailable at this time.');
    if (path === '/domains') return refusal(500, 'Something broke.');
    if (status !== 200 || !/^\/server\/instances\/\d+$/.test(path)) return undefined;
    const { id, label } = JSON.parse(text) as Record<string, unknown>;
    return JSON.stringify({ id, label, specs: 7, alerts: null, tags: 'x', ipv4: null });
  });
  const skydeck = await openSkydeck({ demo: other, columns: 120, rows: 40, place: { area: 'servers' } });
  await skydeck.waitFor('Servers  3');
  await skydeck.press('enter');
  await skydeck.waitFor(/Last 24 hours {2}no readings yet/);
  await skydeck.waitFor(/Records: not read/);
  await skydeck.waitFor(/IPv4 +–/);
});

test('the kind of a related row is not cut, however long its name is', async () => {
  const skydeck = await openSkydeck({ columns: 120, rows: 50, place: { area: 'managed-server-settings' } });
  await skydeck.waitFor('api-1');
  await skydeck.goTo('servers');
  await skydeck.waitFor('192.0.2.18');
  await skydeck.pointAt('api-1 ');
  await skydeck.press('enter');
  await skydeck.waitFor(/ managed server setting {2}api-1 /);
});
