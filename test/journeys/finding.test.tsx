import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openSkydeck, startQuietDemo } from './skydeck.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());

async function openServers() {
  const skydeck = await openSkydeck({ demo, rows: 50, place: { area: 'servers' } });
  await skydeck.waitFor('api-1');
  const filter = async (text: string) => {
    await skydeck.press('/', 'ctrl-u');
    await skydeck.type(text);
    await skydeck.waitFor(`filter: ${text}`);
    await skydeck.press('enter');
    await skydeck.waitFor((frame) => !frame.includes('enter accept'));
  };
  return { skydeck, filter };
}

test('a filter finds words, fields, numbers, expressions and what is not so', async () => {
  const { skydeck, filter } = await openServers();
  for (const [text, count] of [
    ['web', 9],
    ['web prod', 8],
    ['tag:web status:running', 8],
    ['!prod', 10],
    ['status:offline', 3],
    ['!status:running', 4],
    ['vcpu>6', 4],
    ['vcpu<2 status:stopped', 0],
    ['/^(mail|vpn)$/', 2],
    ['label:/-[12]$/ region:us-east', undefined],
    ['192.0.2.18', 1],
    ['backup:off', undefined],
    ['backup<40h', undefined],
    ['status:offline|stopped', 4],
    ['!status:running|offline', 1],
    ['vcpu>=8 ram>=8GiB', 4],
    ['label=mail', 1],
    ['!tag:none', 40],
    ['created>2020 created<2020-01-02', 0],
    ['status:running tag:prod vcpu>4 !backup:off /^db-/', 4],
  ] as const) {
    await filter(text);
    await skydeck.waitFor(count === undefined ? /Servers {2}[1-9]\d* of 40/ : `Servers  ${count} of 40`);
  }
});

test('what is wrong with a filter stands under the place, and it is neither taken nor marked by', async () => {
  const { skydeck } = await openServers();
  await skydeck.press('/');
  for (const [text, caret, says] of [
    ['vcpu>many', 5, 'vcpu takes a number without a unit'],
    ['ram>=8parsec', 5, /ram takes a size such as 8GiB \(B, KiB, MiB, GiB, TiB\); a number\n +alone counts MB\n/],
    ['web colour:red', 4, 'there is no field colour; there are status, label'],
    ['/web', 4, 'the regular expression ends with a /'],
    ['web !', 5, 'something to leave out must follow the !'],
  ] as const) {
    await skydeck.press('ctrl-u');
    await skydeck.waitFor('Servers  40');
    await skydeck.paste(text);
    await skydeck.waitFor(says);
    const lines = skydeck.text().split('\n');
    const place = lines.findIndex((line) => line.startsWith(' filter: '));
    expect(lines[place + 1]?.indexOf('^')).toBe(' filter: '.length + caret);
    expect(skydeck.text()).toContain('Servers  40 of 40');
    await skydeck.press('enter');
    await skydeck.waitFor('A filter with a mistake is not taken; correct it, or esc leaves it.');
  }
  // Typed on and on, the rows stay those of what was understood last, and a key that marks is a letter of it.
  await skydeck.press('ctrl-u');
  await skydeck.type('mail:');
  await skydeck.waitFor(/Servers {2}1 of 40[\s\S]*there is no field mail/);
  await skydeck.press('enter', '*');
  await skydeck.waitFor('filter: mail:*');
  await skydeck.press('ctrl-u');
  await skydeck.type('labl:');
  await skydeck.waitFor(/there is no field labl[\s\S]*No row is shown before the filter is understood\./);
  await skydeck.press('esc');
  await skydeck.waitFor('Servers  40   sort');
  expect(skydeck.text()).not.toContain('marked');
});

test('esc clears a filter, and the cursor stays on its server', async () => {
  const { skydeck, filter } = await openServers();
  await filter('mail');
  await skydeck.waitFor('Servers  1 of 40');
  await skydeck.press('down', '/', 'esc');
  await skydeck.waitFor('Servers  40   sort');
  expect(skydeck.text()).not.toContain('filter:');
});

test('any column sorts, forwards and backwards, numbers by size', async () => {
  const { skydeck } = await openServers();
  const labels = () =>
    skydeck
      .text()
      .split('\n')
      .flatMap((line) => /^..\s[●○!] \w+ +(\S+)/.exec(line)?.[1] ?? []);
  await skydeck.waitFor(() => labels().length === 40);
  expect(labels().slice(0, 2)).toEqual(['api-1', 'api-2']);

  await skydeck.press('s', 'enter');
  await skydeck.waitFor('sort: Status ↑');
  await skydeck.press('s');
  await skydeck.type('vcpu');
  await skydeck.press('enter');
  await skydeck.waitFor('sort: vCPU ↑');
  await skydeck.press('s');
  await skydeck.type('vcpu');
  await skydeck.waitFor('ascending; choose again for descending');
  await skydeck.press('enter');
  await skydeck.waitFor('sort: vCPU ↓');
  await skydeck.waitFor(() => labels()[0] === 'db-primary');
  expect(labels().slice(1, 4)).toEqual(['db-replica-1', 'db-replica-2', 'db-replica-3']);
});

test('a sort stays when one leaves the list and comes back', async () => {
  const { skydeck } = await openServers();
  await skydeck.press('s');
  await skydeck.type('region');
  await skydeck.press('enter');
  await skydeck.waitFor('sort: Region ↑');
  await skydeck.press('enter');
  await skydeck.waitFor('Overview');
  await skydeck.press('esc');
  await skydeck.waitFor('sort: Region ↑');
});

test('the palette goes to an area, a label, an id and an address', async () => {
  const { skydeck } = await openServers();
  await skydeck.goTo('volumes');
  await skydeck.waitFor('Volumes  24');
  for (const [typed, place] of [
    ['mail-store', 'Volumes › mail-store'],
    ['db-primary', 'Servers › db-primary'],
    ['48200125', 'Servers › api-1'],
    ['192.0.2.43', 'Servers › ci-1'],
    ['3FFF:0100:0000:1::F03C:1001', 'Servers › web-2'],
    ['srv', 'Servers  40'],
    ['home', 'demo › Home'],
  ] as const) {
    await skydeck.press(':');
    await skydeck.waitFor('Go to ─');
    await skydeck.type(typed);
    await skydeck.waitFor(`❯ ${typed}`);
    await skydeck.press('enter');
    await skydeck.waitFor(place);
  }
});

test('the palette does things too: it makes a volume and resizes the server that is shown', async () => {
  const { skydeck } = await openServers();
  await skydeck.press(':');
  await skydeck.type('new vol');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('New volume'));
  await skydeck.press('enter');
  await skydeck.waitFor('── New volume');
  await skydeck.press('esc');
  await skydeck.press(':');
  await skydeck.type('vpn');
  await skydeck.press('enter');
  await skydeck.waitFor('Servers › vpn');
  await skydeck.press(':');
  await skydeck.type('resize');
  await skydeck.waitFor(() => skydeck.cursorLine().includes('Resize'));
  await skydeck.press('enter');
  await skydeck.waitFor('── Resize vpn');
});

test('what nothing is called, the palette says', async () => {
  const { skydeck } = await openServers();
  await skydeck.press(':');
  await skydeck.type('no such thing');
  await skydeck.waitFor('Nothing loaded is called that.');
  await skydeck.press('esc');
  await skydeck.waitFor((frame) => !frame.includes('Go to ─'));
});
