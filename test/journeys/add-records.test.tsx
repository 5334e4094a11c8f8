import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { version } from '../api/server.ts';
import { refusal, startOtherApi } from './otherApi.ts';
import { openSkydeck, type Skydeck, startQuietDemo } from './skydeck.ts';

interface Sent {
  type: string;
  name: string;
  target: string;
  priority: number;
}

let demo: Demo;
let id: unknown;
beforeAll(async () => {
  demo = await startQuietDemo();
  ({ id } = (await ask('POST', '/domains', { domain: 'new.example', type: 'master', soa_email: 'a@b.example' })) as {
    id: unknown;
  });
});
afterAll(() => demo.close());

/** Asks the API as somebody else does. */
async function ask(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${demo.tokens.full}`, 'content-type': 'application/json' };
  const answer = await fetch(`${demo.url}${version}${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** The records of the new zone, as lines. */
async function lines(): Promise<readonly string[]> {
  const { data } = (await ask('GET', `/domains/${id}/records?page_size=100`)) as { data: readonly Sent[] };
  return data
    .map(({ type, name, target, priority }) => [type, name || '@', priority || '', target].join(' '))
    .toSorted();
}

const open = () => openSkydeck({ demo, columns: 120, rows: 40, place: { area: 'domains' } });

async function openForm(skydeck: Skydeck): Promise<void> {
  await skydeck.waitFor('new.example');
  await skydeck.pointAt('new.example');
  await skydeck.press('a', 'P');
  await skydeck.waitFor('── Add records to new.example');
}

const pasted = `k1._domainkey\tIN\tTXT\t( "v=DKIM1; k=rsa; "
\t  "p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7" "abcd==" )  ; ----- DKIM key k1 for new.example`;
const key = 'v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7abcd==';
const mail = [
  'MX @ 10 mx1.provider.example',
  'MX @ 20 mx2.provider.example',
  'TXT @  v=spf1 include:_spf.provider.example ~all',
  `TXT k1._domainkey  ${key}`,
];

test('MX, SPF and DKIM of a provider are one form and one question, 12 keys and the texts, and u takes them back', async () => {
  const skydeck = await open();
  await skydeck.waitFor('new.example');
  await skydeck.pointAt('new.example');
  let keys = 0;
  const press = async (...those: readonly string[]) => {
    keys += those.length;
    for (const one of those) await skydeck.press(one);
  };
  await press('a', 'P');
  await skydeck.waitFor('── Add records to new.example');
  await press('down');
  await skydeck.type('mx1.provider.example, mx2.provider.example');
  await press('down');
  await skydeck.type('include:_spf.provider.example');
  await press('down');
  await skydeck.paste(pasted);
  keys += 1;
  await press('ctrl-s');
  await skydeck.waitFor('Adds to new.example: @ IN MX 10 mx1.provider.example.; @ IN MX 20');
  await skydeck.waitFor(/@ IN MX 20 mx2\.provider\.example\.[\s\S]*MX @ +mx2\.provider\.example +default/);
  // The table cuts it; it is there whole as well.
  await skydeck.waitFor('MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQC7abcd==');
  await skydeck.waitFor('4 records');
  await press('enter');
  await skydeck.waitFor('Add records: all 4 done; u takes them back');
  expect(keys).toBeLessThanOrEqual(12);
  expect(await lines()).toEqual(mail.toSorted());

  await skydeck.press('u');
  await skydeck.waitFor('Take back');
  await skydeck.press('end', 'enter');
  await vi.waitFor(async () => expect(await lines()).toEqual([]), { timeout: 20_000 });
});

test('what is there is not made twice, and an SPF record gets further senders', async () => {
  await ask('POST', `/domains/${id}/records`, { type: 'MX', target: 'mx1.provider.example', priority: 5 });
  await ask('POST', `/domains/${id}/records`, { type: 'TXT', target: 'v=spf1 a -all' });
  const skydeck = await open();
  await openForm(skydeck);
  await skydeck.fill('Mail hosts', 'mx1.provider.example, 40 mx2.provider.example');
  await skydeck.fill('SPF', 'include:_spf.provider.example');
  await skydeck.waitFor('The SPF record "v=spf1 a -all" becomes "v=spf1 a include:_spf.provider.example -all".');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('2 records');
  await skydeck.press('enter');
  await skydeck.waitFor('Add records: all 2 done');
  const after = [
    'MX @ 40 mx2.provider.example',
    'MX @ 5 mx1.provider.example',
    'TXT @  v=spf1 a include:_spf.provider.example -all',
  ];
  expect(await lines()).toEqual(after);
  await openForm(skydeck);
  await skydeck.fill('Mail hosts', 'mx2.provider.example');
  await skydeck.fill('SPF', 'include:_spf.provider.example');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('For: all of this is there already');
  expect(await lines()).toEqual(after);
});

test('a server is the target of the domain and of www, and a plan has the same steps', async () => {
  const skydeck = await open();
  await openForm(skydeck);
  await skydeck.choose('For', 'web');
  await skydeck.field('Leads to');
  await skydeck.press('ctrl-o');
  await skydeck.waitFor('── Leads to');
  await skydeck.type('web-1');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('web-1'));
  await skydeck.press('enter', 'ctrl-a');
  await skydeck.waitFor('3 steps are in the plan');
  expect(skydeck.changes).toEqual([]);
  await skydeck.goTo('plan');
  await skydeck.waitFor('New record CNAME www');
  await skydeck.waitFor('New record AAAA @');
});

test('what a check of the zone refuses is refused here, with the reason and the way out', async () => {
  const skydeck = await open();
  await openForm(skydeck);
  await skydeck.choose('For', 'redirect');
  await skydeck.fill('Leads to', 'www.example.org');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('use A and AAAA records (RFC 1912 §2.4)');
  await skydeck.fill('Name', 'shop');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor(/CNAME shop +CNAME +shop +www\.example\.org/);
  await skydeck.press('enter');
  await skydeck.waitFor('Add records: CNAME shop; u takes it back');
  await openForm(skydeck);
  await skydeck.choose('For', 'verification');
  await skydeck.fill('Name', 'shop');
  await skydeck.fill('Text', 'site-verification=1');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('shop.new.example has a CNAME beside TXT');
  await skydeck.choose('For', 'dkim');
  await skydeck.fill('DKIM', key);
  await skydeck.waitFor('Name *');
  await skydeck.fill('Name', 's2');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('s2._domainkey IN TXT');
  await skydeck.press('enter');
  await skydeck.waitFor('Add records: TXT s2._domainkey');
  expect(await lines()).toContain(`TXT s2._domainkey  ${key}`);
});

test('a replacement of one target is checked as its form is', async () => {
  const zone = { domain: 'loop.example', type: 'master', soa_email: 'a@b.example' };
  const { id: loop } = (await ask('POST', '/domains', zone)) as { id: unknown };
  await ask('POST', `/domains/${loop}/records`, { type: 'CNAME', name: 'shop', target: 'www.elsewhere.example' });
  const skydeck = await open();
  await skydeck.waitFor('loop.example');
  await skydeck.press(':');
  await skydeck.type('replace www.elsewhere.example by shop.loop.example');
  await skydeck.press('enter');
  await skydeck.waitFor('Target: the CNAME record of shop.loop.example leads back to itself (RFC 1034 §3.6.2)');
});

test('where the API fails, the form stays with all that was typed, and sends the rest the next time', async () => {
  const skydeck = await open();
  await openForm(skydeck);
  await skydeck.choose('For', 'verification');
  await skydeck.fill('Text', 'other-verification=2');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('1 record');
  demo.setFaults(['errors:1']);
  await skydeck.press('enter');
  await skydeck.waitFor(/── Add records to new\.example[\s\S]*other-verification=2/);
  await skydeck.waitFor(/Nothing was sent|failed|error|500|reached/i);
  demo.setFaults([]);
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('1 record');
  await skydeck.press('enter');
  const there = async () =>
    expect((await lines()).filter((line) => line.includes('other-verification=2'))).toHaveLength(1);
  await vi.waitFor(there, { timeout: 20_000 });
});

test('of several records one that is refused is the only one that is sent the next time', async () => {
  const zone = { domain: 'small.example', type: 'master', soa_email: 'a@b.example' };
  const { id: small } = (await ask('POST', '/domains', zone)) as { id: unknown };
  let posts = 0;
  const api = await startOtherApi(
    () => undefined,
    ({ method, path }) =>
      method === 'POST' && path === `/domains/${small}/records` && ++posts === 2
        ? refusal(400, 'This is not the time')
        : undefined,
    demo,
  );
  const skydeck = await openSkydeck({ demo: api, columns: 120, rows: 40, place: { area: 'domains' } });
  await skydeck.waitFor('small.example');
  await skydeck.pointAt('small.example');
  await skydeck.press('a', 'P');
  await skydeck.waitFor('── Add records to small.example');
  await skydeck.fill('Mail hosts', 'mx.provider.example');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('2 records');
  await skydeck.press('enter');
  await skydeck.waitFor(
    /── Add records: 1 of 2 done, 1 failed; the form has what is left[\s\S]*TXT @ +This is not the time/,
  );
  await skydeck.waitFor(/✓ MX @ +done/);
  await skydeck.press('esc');
  await skydeck.waitFor('── Add records to small.example');
  await skydeck.press('ctrl-s');
  await skydeck.waitFor('1 record');
  await skydeck.press('enter');
  await skydeck.waitFor('Add records: TXT @; u takes it back');
  expect(posts).toBe(3);
});
