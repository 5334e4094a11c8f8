import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import type { PlannedNode } from '../../src/resources/networking/rebuild.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
let folder: string;
beforeEach(async () => {
  demo = await startQuietDemo();
  folder = await mkdtemp(join(tmpdir(), 'skydeck-'));
});
afterEach(async () => {
  await demo.close();
  await rm(folder, { recursive: true });
});

const open = (area: string, more: object = {}) =>
  openSkydeck({ demo, columns: 118, rows: 50, place: { area }, ...more });

/** The id of a domain. */
async function domainOf(skydeck: Skydeck, name: string): Promise<number | undefined> {
  const { data } = await skydeck.elsewhere('GET', '/domains');
  return (data as { id: number; domain: string }[]).find(({ domain }) => domain === name)?.id;
}

/** Waits until the zone file of a domain has this text; it is rendered a while after a change. */
async function rendered(skydeck: Skydeck, id: number | undefined, text: string): Promise<void> {
  const lines = async () => (await skydeck.elsewhere('GET', `/domains/${id}/zone-file`)).zone_file as string[];
  const isThere = async () => (await lines()).some((line) => line.includes(text));
  await vi.waitUntil(isThere, { interval: 20, timeout: 60_000 });
}

describe('domains', () => {
  test('one is imported, gets records of its own, and is given up again', async () => {
    const skydeck = await open('domains');
    await skydeck.waitFor('old-shop.example');
    await skydeck.press('n');
    await skydeck.waitFor('Import a domain');
    await skydeck.press('I');
    await skydeck.fill('Domain', 'garden.example');
    await skydeck.fill('Nameserver', 'closed.invalid');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('The name server refused the zone transfer');
    await skydeck.fill('Nameserver', 'ns1.example.org');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('Import a domain: garden.example');
    await skydeck.waitFor((text) => skydeck.cursorLine().includes('garden.example') && text.includes('Domains  7'));

    await skydeck.press('enter');
    await skydeck.waitFor('mail.garden.example');
    await skydeck.press('n');
    await skydeck.waitFor('── New record');
    await skydeck.choose('Type', 'SRV');
    await skydeck.fill('Service', 'sip');
    await skydeck.fill('Target', 'sip.garden.example');
    await skydeck.fill('Priority', '256');
    await skydeck.fill('Weight', '5');
    await skydeck.fill('Port', '5060');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('Priority must be 0–255; it is 256');
    await skydeck.fill('Priority', '10');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('New record: SRV _sip._tcp');
    expect(skydeck.changes.at(-1)?.body).toEqual({
      type: 'SRV',
      service: 'sip',
      target: 'sip.garden.example',
      priority: 10,
      weight: 5,
      port: 5060,
    });

    await skydeck.press('*', 'a', 'T');
    await skydeck.waitFor('── Set the TTL of 5 records');
    await skydeck.choose('TTL', '300  5 minutes');
    await skydeck.sendToAll();
    await skydeck.waitFor('Set the TTL: all 5 done');
    await skydeck.waitFor((text) => text.split('\n').filter((line) => line.includes('5 min')).length === 5);

    const garden = await domainOf(skydeck, 'garden.example');
    await rendered(skydeck, garden, 'sip.garden.example.');
    await skydeck.press('tab');
    await skydeck.waitFor(/sip\.garden\.example\./);
    await skydeck.press('Y');
    await skydeck.waitFor('Copied the text');
    expect(skydeck.copied.at(-1)).toMatch(/IN\tSOA\t/);

    await skydeck.press('d');
    await skydeck.waitFor('Deletes garden.example and its 5 records');
    await skydeck.type('garden.example');
    await skydeck.press('enter');
    await skydeck.waitFor('Delete: garden.example');
    await skydeck.waitFor('Domains  6');
  });

  test('a domain that takes no mail says so with a Null MX, which stands alone', async () => {
    const skydeck = await open('domains');
    await skydeck.waitFor('status.example');
    await skydeck.pointAt('shop.example');
    await skydeck.press('enter');
    await skydeck.waitFor('mail.example.com');
    await skydeck.press('n');
    await skydeck.waitFor('── New record');
    await skydeck.choose('Type', 'MX');
    await skydeck.choose('Null MX', 'yes');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('shop.example has a Null MX beside another MX record');
    await skydeck.press('esc');
    await skydeck.pointAt('mail.example.com');
    await skydeck.press('d');
    await skydeck.waitFor('Names that rely on this record stop resolving: @ IN MX 10 mail.example.com.');
    await skydeck.press('enter');
    await skydeck.waitFor('Delete: MX @');
    await skydeck.press('n');
    await skydeck.waitFor('── New record');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('New record: ');
    await skydeck.waitFor('no mail (Null MX)');
    expect(skydeck.changes.at(-1)?.body).toEqual({ type: 'MX', name: '', target: '', priority: 0 });
  });

  test('a record like another one is made, its target picked from our own, and a slave is told its masters', async () => {
    const skydeck = await open('domains');
    await skydeck.waitFor(() => /[❯>] +example\.com /.test(skydeck.cursorLine()));
    await skydeck.press('enter');
    await skydeck.waitFor(/A +api .* api-lb/);
    await skydeck.pointAt('api-lb');
    await skydeck.press('a', 'N');
    await skydeck.waitFor('── New record');
    await skydeck.fill('Name', 'api2');
    await skydeck.field('Target');
    await skydeck.press('ctrl-o');
    await skydeck.waitFor('── Target');
    await skydeck.type('web-lb');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('203.0.113.1'));
    await skydeck.press('enter', 'ctrl-s');
    await skydeck.waitFor('New record: A api2');
    await skydeck.waitFor(/A +api2 .* web-lb/);

    await skydeck.goTo('domains');
    await skydeck.press('n', 'N');
    await skydeck.waitFor('── New domain');
    await skydeck.fill('Domain', 'mirror.example');
    await skydeck.choose('Type', 'slave');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('Masters: at least one is required');
    await skydeck.fill('Masters', '192.0.2.53, 2001:db8::53');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('New domain: mirror.example');
  });

  test('is switched off with a question, and on at once', async () => {
    const skydeck = await open('domains');
    await skydeck.waitFor('status.example');
    await skydeck.pointAt('status.example');
    await skydeck.press('a', 'X');
    await skydeck.waitFor('the nameservers stop serving it');
    await skydeck.press('enter');
    await skydeck.waitFor(/status\.example +○ disabled/);
    await skydeck.press('a', 'O');
    await skydeck.waitFor(/status\.example +● active/);
    expect(skydeck.changes.map(({ body }) => body)).toEqual([{ status: 'disabled' }, { status: 'active' }]);
  });
});

describe('NodeBalancers', () => {
  const pem = (kind: string) => `-----BEGIN ${kind}-----\nZGVtbw==\n-----END ${kind}-----\n`;

  test('one is made with a certificate from files and nodes from a list, and its nodes are drained after a question', async () => {
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await writeFile(cert, pem('CERTIFICATE'));
    await writeFile(key, pem('PRIVATE KEY'));
    const skydeck = await open('nodebalancers');
    await skydeck.waitFor('web-lb');
    await skydeck.press('n');
    await skydeck.waitFor('── New NodeBalancer');
    await skydeck.fill('Label', 'shop-lb');
    await skydeck.pick('Region', 'us-east');
    await skydeck.fill('Port', '443');
    await skydeck.choose('Protocol', 'https');
    await skydeck.fill('Certificate', cert);
    await skydeck.press('ctrl-o');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('✓ •'));
    await skydeck.fill('Private key', key);
    await skydeck.press('ctrl-o');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('✓ •'));
    await skydeck.field('Nodes');
    await skydeck.press('ctrl-o');
    await skydeck.waitFor('── Nodes');
    await skydeck.type('web-1');
    await skydeck.waitFor(() => skydeck.cursorLine().includes(':443'));
    await skydeck.press('space', 'enter', 'ctrl-s');
    await skydeck.waitFor('Creates the NodeBalancer shop-lb in us-east. It is billed');
    await skydeck.press('enter');
    await skydeck.waitFor('New NodeBalancer: shop-lb');
    expect(skydeck.changes.at(-1)?.body).toMatchObject({
      configs: [{ port: 443, ssl_cert: '[redacted]', ssl_key: '[redacted]', nodes: [{ label: 'web-1' }] }],
    });

    await skydeck.waitFor(() => skydeck.cursorLine().includes('shop-lb'));
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/port 443 https .*\n.*web-1/);
    await skydeck.pointAt('web-1');
    await skydeck.press('a', 'R');
    await skydeck.waitFor('gets no new connections');
    await skydeck.press('enter');
    await skydeck.waitFor(/web-1 .* drain/);
    await skydeck.press('a', 'R');
    await skydeck.waitFor('web-1 is already in mode drain');
    await skydeck.press('esc', 'd');
    await skydeck.waitFor('Takes the node web-1');
    await skydeck.press('enter');
    await skydeck.waitFor('Delete: web-1');
    await skydeck.press('esc', 'd');
    await skydeck.waitFor('Type shop-lb to confirm');
    await skydeck.type('shop-lb');
    await skydeck.press('enter');
    await skydeck.waitFor('NodeBalancers  4');
  });

  test('a config is rebuilt with its whole set of nodes, after saying what becomes of each', async () => {
    const skydeck = await open('nodebalancers');
    await skydeck.waitFor('web-lb');
    await skydeck.pointAt('web-lb');
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/❯ +✗ down +web-old/);
    await skydeck.pointAt('port 80 ');
    await skydeck.press('a', 'R');
    await skydeck.waitFor('── Rebuild port 80');
    await skydeck.waitFor(/keep +web-old/);
    await skydeck.pointAt('web-old');
    await skydeck.press('d');
    await skydeck.waitFor(/delete +web-old/);
    await skydeck.press('g', 'm');
    await skydeck.waitFor(/update +web-1 .*accept → reject/);
    await skydeck.press('n');
    await skydeck.waitFor('── New node');
    await skydeck.fill('Label', 'web-new');
    await skydeck.fill('Address', '192.168.200.1:8080');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(/create +web-new/);
    await skydeck.press('c');
    await skydeck.waitFor('── Edit port 80');
    await skydeck.choose('Algorithm', 'leastconn');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor('changed: Algorithm roundrobin → leastconn');
    await skydeck.press('esc');
    await skydeck.waitFor((text) => !text.includes('── Rebuild'));
    await skydeck.press('a', 'R');
    await skydeck.waitFor(/create +web-new/);
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(/deletes web-old; updates web-1 \(mode\s[\s▌│]*accept → reject\)/);
    await skydeck.waitFor(/It also[\s▌│]*changes[\s▌│]*Algorithm[\s▌│]*roundrobin → leastconn/);
    await skydeck.waitFor(/Can be taken[\s▌│]*back by u, but a node that is made anew gets another id/);
    await skydeck.press('enter');
    await skydeck.waitFor('Rebuild: port 80; u takes it back');
    await skydeck.waitFor((text) => text.includes('web-new') && !text.includes('web-old'));
    expect(skydeck.changes.at(-1)).toMatchObject({ method: 'POST', body: { algorithm: 'leastconn' } });
    await skydeck.press('u');
    await skydeck.waitFor('── Take back: Rebuild port 80');
    await skydeck.waitFor('Not all is as before then: a node that is made anew gets another id.');
    await skydeck.waitFor(/changed: Algorithm leastconn → roundrobin/);
    await skydeck.waitFor(/update +web-1 .*reject → accept/);
    await skydeck.waitFor(/create +web-old/);
    await skydeck.waitFor(/delete +web-new/);
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(/deletes web-new/);
    await skydeck.press('enter');
    await skydeck.waitFor((text) => !text.includes('web-new') && text.includes('web-old'));
    const [there, back] = skydeck.changes.slice(-2).map(({ body }) => body as { nodes: readonly PlannedNode[] });
    expect(back).toMatchObject({ algorithm: 'roundrobin' });
    expect(back?.nodes).toContainEqual(expect.objectContaining({ label: 'web-1', mode: 'accept' }));
    const made = (nodes: readonly PlannedNode[] = []) => nodes.filter(({ id }) => id === undefined);
    expect(made(back?.nodes)).toMatchObject([{ label: 'web-old' }]);
    const ids = (nodes: readonly PlannedNode[] = []) => nodes.flatMap(({ id }) => id ?? []);
    expect(ids(back?.nodes)).toEqual(ids(there?.nodes));
  });

  test('a hidden certificate is replaced by what is typed over it, with its key only', async () => {
    const cert = join(folder, 'new.pem');
    await writeFile(cert, pem('CERTIFICATE'));
    const skydeck = await open('nodebalancers');
    await skydeck.waitFor('api-lb');
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/❯ +port 443 https/);
    await skydeck.press('e');
    await skydeck.waitFor(/Certificate \* +<REDACTED>/);
    await skydeck.field('Certificate');
    expect(skydeck.text()).not.toContain('load the file');
    await skydeck.type(cert);
    await skydeck.waitFor('is the path of a file; press ctrl-o');
    expect(skydeck.cursorLine()).not.toContain('REDACTED');
    await skydeck.press('ctrl-o');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('✓ •'));
    // A mistake is told before a request is shown that would be refused.
    await skydeck.press('ctrl-p');
    await skydeck.waitFor('a new certificate needs its own key; enter both');
    expect(skydeck.text()).not.toContain('the request');
    await skydeck.press('ctrl-x');
    await skydeck.waitFor(/❯ Port +443/);
    await skydeck.waitFor((text) => (text.match(/<REDACTED>/g) ?? []).length === 2);
    await skydeck.press('esc');
  });

  test('a long request is read to its end before it is sent', async () => {
    const skydeck = await open('nodebalancers', { columns: 80, rows: 24 });
    await skydeck.waitFor('web-lb');
    await skydeck.pointAt('web-lb');
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/port 80 http.*\n.*192[\s\S]*port 443 https/);
    await skydeck.pointAt('port 80 ');
    await skydeck.press('a', 'R');
    await skydeck.waitFor('── Rebuild port 80');
    await skydeck.press('ctrl-p');
    await skydeck.waitFor(/the request ─+ 1–\d+ of \d+/);
    // The keys of the plan beneath do nothing while the request is shown.
    await skydeck.press('n', 'd', 'G');
    await skydeck.waitFor(/\/configs\/\d+\/rebuild/);
    await skydeck.press('esc');
    await skydeck.waitFor(/Keeps \d nodes\./);
    await skydeck.press('esc');
  });

  test('a NodeBalancer opens on its overview, where each key is about it and not about a node', async () => {
    const skydeck = await open('nodebalancers');
    await skydeck.pointAt('web-lb');
    await skydeck.press('enter');
    await skydeck.waitFor(/Overview +Nodes +Configs[\s\S]*Facts/);
    await skydeck.press('e');
    await skydeck.waitFor('── Edit web-lb');
    await skydeck.press('esc', 'd');
    await skydeck.waitFor('Type web-lb to confirm');
    await skydeck.press('esc');
  });

  test('the cursor of the tree stays where a node was deleted, and goes to one that was made', async () => {
    const skydeck = await open('nodebalancers');
    await skydeck.waitFor('db-read');
    await skydeck.pointAt('db-read');
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/❯ +port 5432 tcp/);
    await skydeck.press('n');
    await skydeck.waitFor('── New node');
    await skydeck.fill('Label', 'db-extra');
    await skydeck.fill('Address', '192.168.200.9:5432');
    await skydeck.press('ctrl-s');
    await skydeck.waitFor(() => skydeck.cursorLine().includes('db-extra'));
    await skydeck.press('d');
    await skydeck.waitFor('Takes the node db-extra');
    await skydeck.press('enter');
    await skydeck.waitFor('Delete: db-extra');
    await skydeck.waitFor(() => / db-(?!extra)/.test(skydeck.cursorLine()));
  });

  test('the health of all its ports is seen in the list, and connections and traffic as graphs', async () => {
    const skydeck = await open('nodebalancers');
    await skydeck.waitFor(/db-read +● \d up 0 down +5432/);
    await skydeck.pointAt('db-read');
    await skydeck.press('enter', '4');
    await skydeck.waitFor(/Connections .*[\s\S]*Traffic/);
    await skydeck.goTo('nodebalancers');
    await skydeck.pointAt('staging-lb');
    await skydeck.press('enter', '2');
    await skydeck.waitFor('It has no configs, so it serves nothing.');
  });

  test('read-only shows everything, and offers what can be planned', async () => {
    const skydeck = await open('nodebalancers', { readOnly: true });
    await skydeck.waitFor('web-lb');
    await skydeck.pointAt('api-lb');
    await skydeck.press('enter', '2');
    await skydeck.waitFor(/❯ +port 443 https/);
    await skydeck.press('a');
    await skydeck.waitFor(/Rebuild .*this session is read-only; no plan can hold this/);
    await skydeck.type('rebuild');
    await skydeck.press('enter');
    await skydeck.waitFor(
      /is not possible: this session is read-only;[\s│]+no[\s│]+plan[\s│]+can[\s│]+hold[\s│]+this\./,
    );
    await skydeck.press('esc', 'd');
    await skydeck.waitFor(/── Delete\?[\s\S]*\n ctrl-a plan /);
    await skydeck.press('esc', 'e');
    await skydeck.waitFor(/── Edit [\s\S]*\n ctrl-a plan /);
    await skydeck.press('esc', 'n');
    await skydeck.waitFor('── New node');
    await skydeck.fill('Label', 'api-9');
    await skydeck.fill('Address', '192.168.128.99:80');
    await skydeck.press('ctrl-a');
    await skydeck.waitFor('Step 1 is in the plan: New node');
    expect(skydeck.text()).toMatch(/^ skydeck .* plan 1/);
    expect(skydeck.changes).toEqual([]);
    expect(skydeck.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
