import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { version } from '../api/server.ts';
import { Emulator } from '../emulator.ts';
import { type Hands, handsOn } from '../journeys/hands.ts';
import { environment } from '../main/program.ts';
import { demoAndHome } from './demoAndHome.ts';
import { openShell, processesOf, type Shell } from './shell.ts';

/** Secrets that are typed or read from files, by their kind; no part of them is a word that is shown for another reason. */
const typed = {
  rootPassword: 'correct-Horse-77-battery',
  scriptPassword: 'open-Sesame-4711',
  credential: 'queue-Staple-0815',
  card: '4111222233334444',
  certificate: 'MIIBcertificateOfATest',
  key: 'MIIEkeyOfATest',
  balancerKey: 'MIIEkeyOfABalancer',
  balancerKeyEnd: 'q7EndOfTheKeyOfABalancer',
  laterKey: 'MIIEkeyThatCameLater',
};

const pem = (what: string, ...lines: readonly string[]) =>
  `-----BEGIN ${what}-----\n${lines.join('\n')}\n-----END ${what}-----\n`;

/** The end of a field's line, up to the frame of its form, where nothing of a secret is left legible. */
const masked = / ✓ •{27,30} *│?$/;

const own = demoAndHome();
let shell: Shell;
afterEach(() => shell.kill('SIGKILL'));

/** The program in front of the demo, with every log there is. */
async function open(place: string, node: string[] = []): Promise<Hands> {
  shell = openShell([place, '--log-file', join(own.home, 'calls.jsonl')], {
    node,
    columns: 110,
    rows: 50,
    env: environment(own.home, { SKYDECK_BASE_URL: own.demo.url, SKYDECK_TOKEN: own.demo.tokens.full }),
  });
  await shell.waitFor('? keys');
  await shell.waitFor((frame) => !/Reading .* …/.test(frame));
  return handsOn(shell);
}

/** The text of every file that the program wrote, each only for its user; its own compiled code left out. */
async function written(): Promise<string> {
  const entries = await readdir(own.home, { recursive: true, withFileTypes: true });
  const files = entries.filter(
    (entry) => entry.isFile() && !/^given/.test(entry.name) && !entry.parentPath.startsWith(join(own.home, '.cache')),
  );
  for (const { parentPath, name } of files) {
    expect((await stat(join(parentPath, name))).mode & 0o077).toBe(0);
  }
  const texts = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')));
  return texts.join('\n');
}

/** The command lines of all processes of the session, as every user of the machine sees them. */
async function commandLines(): Promise<string> {
  const processes = await processesOf(shell.pid);
  expect(processes.map(({ name }) => name)).not.toEqual([]);
  return (await Promise.all(processes.map(({ pid }) => readFile(`/proc/${pid}/cmdline`, 'utf8')))).join('\n');
}

/** None of these is in anything that others or a later time may see. */
async function expectNowhere(...secrets: readonly string[]): Promise<void> {
  const places = { screen: shell.bytes, files: await written(), processes: await commandLines() };
  for (const secret of [...secrets, own.demo.tokens.full]) {
    for (const [place, text] of Object.entries(places)) {
      expect(text.includes(secret), `${secret} in ${place}`).toBe(false);
      expect(text.includes(Buffer.from(secret).toString('base64')), `${secret} in base64 in ${place}`).toBe(false);
    }
  }
}

const audited = () => readFile(join(own.home, '.local/state/skydeck/audit.jsonl'), 'utf8');

test('passwords of servers and scripts, of a credential and of a card', async () => {
  const hands = await open('stackscripts');
  await shell.waitFor('web-node');
  while (!hands.cursorLine().includes('web-node')) {
    const before = hands.cursorLine();
    await shell.press('down');
    await shell.waitFor(() => hands.cursorLine() !== before);
  }
  await shell.press('a');
  await shell.waitFor('Actions on');
  await shell.press('S');
  await shell.waitFor('Release to deploy');
  await hands.fill('Release to deploy', '2024.19');
  await hands.choose('Role', 'api');
  await hands.fill('Password of the d', typed.scriptPassword);
  await hands.pick('Region', 'us-east');
  await hands.pick('Type', 'g6-standard-2');
  await hands.fill('Label', 'api-new');
  await hands.fill('Root password', typed.rootPassword);
  await shell.press('ctrl-p');
  await shell.waitFor('[redacted]');
  await shell.press('ctrl-p');
  await shell.waitFor((frame) => !frame.includes('[redacted]'));
  await shell.press('ctrl-s');
  await shell.waitFor('Creates api-new: ');
  await shell.press('enter');
  await shell.waitFor('New server: api-new');

  await hands.goTo('managed credentials');
  await shell.press('n');
  await shell.waitFor('── New managed credential');
  await hands.fill('Label', 'queue console');
  await hands.fill('Password', typed.credential);
  await shell.press('ctrl-s');
  await shell.waitFor(/❯ +queue console +never/);

  await hands.goTo('account');
  await shell.press('a');
  await shell.waitFor('Actions on');
  await shell.press('C');
  await shell.waitFor('── Replace the credit card');
  await hands.fill('Card number', typed.card);
  await hands.fill('Security code', '123');
  await hands.fill('Expiry month', '12');
  await hands.fill('Expiry year', '2040');
  await shell.press('ctrl-s');
  await shell.waitFor('ends in 4444, expires 12/2040');

  expect((await audited()).match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(4);
  await expectNowhere(typed.scriptPassword, typed.rootPassword, typed.credential, typed.card);
});

test('a certificate and its key, a signed address, and a report of a crash that tells all it knows', async () => {
  const image = join(own.home, 'given.img.gz');
  const files = { Certificate: join(own.home, 'given.pem'), 'Private key': join(own.home, 'given.key') };
  await writeFile(image, gzipSync(Buffer.alloc(2 ** 20)));
  await truncate(image, 2 ** 31);
  await writeFile(files.Certificate, pem('CERTIFICATE', typed.certificate));
  await writeFile(files['Private key'], pem('PRIVATE KEY', typed.key));
  const known = JSON.stringify({ root_pass: typed.rootPassword, stackscript_data: { db: typed.scriptPassword } });
  const fault = `
    const text = 'Bearer ' + process.env.SKYDECK_TOKEN + ' or bare ' + process.env.SKYDECK_TOKEN + ${JSON.stringify(known)}
      + ' password: \\'${typed.credential}\\' ${own.demo.url}/x?X-Amz-Signature=${typed.card}&a=1 '
      + ${JSON.stringify(await readFile(files['Private key'], 'utf8'))};
    process.on('SIGURG', () => { throw new Error(text); });`;
  const hands = await open('buckets', ['--import', await faultFile(fault)]);
  await shell.waitFor(/❯ +assets +eu-central-1/);
  await shell.press('a');
  await shell.waitFor('Replace the certificate');
  await shell.press('X');
  await shell.waitFor('── Replace the certificate');
  for (const [label, path] of Object.entries(files)) {
    await hands.fill(label, path);
    await shell.press('ctrl-o');
    await shell.waitFor(() => masked.test(hands.cursorLine()));
  }
  await shell.press('ctrl-s');
  await shell.waitFor('The current certificate of eu-central-1/assets is deleted');
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('The current certificate'));
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('── Replace'));

  await hands.goTo('images');
  await shell.press('n');
  await shell.waitFor('Upload');
  await shell.press('U');
  await shell.waitFor('── Upload an image file');
  await hands.fill('File', image);
  await hands.fill('Label', 'half-way');
  await hands.pick('Region', 'us-east');
  await shell.press('ctrl-s');
  await shell.waitFor(/Upload given\.img\.gz .* of 2 GiB/);
  await expectNowhere(typed.certificate, typed.key, 'signature=');

  await shell.signal('SIGURG');
  await shell.ended(70, /^Skydeck crashed \(Bearer \[redacted\]/);
  const secrets = Object.values(typed);
  const all = shell.bytes + (await written());
  for (const secret of [...secrets, own.demo.tokens.full]) expect(all.includes(secret), secret).toBe(false);
});

test("the private key of a NodeBalancer's port, pasted, looked at again, copied from, replaced, and in a report of a crash", async () => {
  const { certificate, balancerKey, balancerKeyEnd, laterKey } = typed;
  const later = join(own.home, 'given.key');
  await writeFile(later, pem('EC PRIVATE KEY', laterKey));
  const fault = `
    const config = { port: 8443, ssl_key: ${JSON.stringify(pem('PRIVATE KEY', balancerKey, balancerKeyEnd))} };
    const text = JSON.stringify({ configs: [config] }) + " ssl_key='${laterKey}' " + config.ssl_key;
    process.on('SIGURG', () => { throw new Error(text, { cause: config }); });`;
  const hands = await open('nodebalancers', ['--import', await faultFile(fault)]);
  const isMasked = () => masked.test(hands.cursorLine());
  await shell.press('enter');
  await shell.waitFor('NodeBalancers ›');
  await shell.press('3');
  await shell.waitFor(/\n +NodeBalancer configs[\s\S]*❯ +\d+ +http/);
  await shell.press('n');
  // A frame may come in parts; until its cursor is there, the first key would be taken for what brings it.
  await shell.waitFor(/── New NodeBalancer config[\s\S]*❯ +Port/);
  await hands.fill('Port', '8443');
  await hands.choose('Protocol', 'https');
  await hands.field('Certificate');
  await shell.paste(pem('CERTIFICATE', certificate));
  await shell.waitFor(isMasked);
  await hands.field('Private key');
  await shell.paste(pem('PRIVATE KEY', balancerKey, balancerKeyEnd));
  await shell.waitFor(isMasked);
  await shell.press('ctrl-p');
  await shell.waitFor(/"ssl_key": "\[redacted\]"/);
  await shell.press('ctrl-s');
  await shell.waitFor(/ 8443 +https/);
  await shell.press('G');
  await shell.waitFor(/❯ +8443 +https/);

  await shell.press('e');
  await shell.waitFor(/── Edit port 8443[\s\S]*❯ +Port/);
  await hands.field('Private key');
  expect(hands.cursorLine()).toContain('<REDACTED>');
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('── Edit port 8443'));
  await hands.byName('JSON of port 8443');
  await shell.waitFor(/"ssl_key": "<REDACTED>"/);
  await shell.press('esc');
  await shell.waitFor(/❯ +8443 +https/);
  const copied = () => [...shell.bytes.matchAll(/\x1b\]52;c;([^\x07]*)\x07/g)].map(([, text = '']) => atob(text));
  await shell.press('c');
  await shell.waitFor(/── Copy[\s\S]* fingerprint +\S/);
  const shown = () => {
    const [, menu = ''] = shell.text().split('── Copy');
    return [...menu.matchAll(/^│?[ ❯] {1,2}(\w+) {2,}\S/gm)].map(([, name = '']) => name);
  };
  // The menu is longer than its popup.
  const atTop = shown();
  await shell.press('pageDown');
  await shell.waitFor(/── Copy[\s\S]* JSON +\d+ lines/);
  const offered = [...new Set([...atTop, ...shown()])];
  expect(offered).toEqual(expect.arrayContaining(['label', 'Port', 'fingerprint', 'JSON']));
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('── Copy'));
  for (const [index, name] of offered.entries()) {
    await shell.press('c');
    await shell.waitFor('── Copy');
    await shell.type(name);
    await shell.waitFor(() =>
      hands.cursorLine().replace(/^│/, '').toLowerCase().startsWith(`❯ ${name} `.toLowerCase()),
    );
    await shell.press('enter');
    await shell.waitFor(() => copied().length > index);
  }
  expect(copied().join('\n')).toContain('"ssl_key": "<REDACTED>"');
  for (const secret of [certificate, balancerKey, balancerKeyEnd]) expect(copied().join('\n')).not.toContain(secret);

  await shell.press('a');
  await shell.waitFor('Actions on');
  await shell.press('T');
  await shell.waitFor('── Replace the certificate');
  await hands.fill('Private key', later);
  await shell.press('ctrl-o');
  await shell.waitFor(isMasked);
  await shell.press('ctrl-s');
  await shell.waitFor('Certificate is required');
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('── Replace'));

  expect(await audited()).toMatch(/"ssl_key":"\[redacted\]"/);
  await expectNowhere(certificate, balancerKey, balancerKeyEnd, laterKey);
  await shell.signal('SIGURG');
  await shell.ended(70, /^Skydeck crashed/);
  const all = shell.bytes + (await written());
  for (const secret of [balancerKey, balancerKeyEnd, laterKey]) expect(all.includes(secret), secret).toBe(false);
});

/** A module to be loaded before the program. */
async function faultFile(code: string): Promise<string> {
  const file = join(own.home, 'given.mjs');
  await writeFile(file, code);
  return file;
}

test('the secret of a key is on the screen while its pane is open, in the clipboard when asked, and nowhere else', async () => {
  const hands = await open('object-keys');
  await shell.waitFor('NO: all buckets');
  await shell.press('n');
  await shell.waitFor('── New object storage key');
  await hands.fill('Label', 'exporter');
  await hands.choose('May use', 'nothing');
  await shell.press('ctrl-s');
  await shell.waitFor('never again');
  const [, secret = ''] = /Secret key[\s│]+(\S{40})\s/.exec(shell.text()) ?? [];
  expect(secret).toMatch(/^[A-Za-z0-9]{40}$/);
  expect(shell.bytes).not.toContain('\x1b]52');
  await shell.press('c');
  await shell.waitFor('was sent to the clipboard');
  expect(shell.bytes.split('\x1b]52;c;').slice(1)).toEqual([
    expect.stringMatching(new RegExp(`^${Buffer.from(secret).toString('base64').replace(/=+$/, '')}=*\x07`)),
  ]);
  expect(await commandLines()).not.toContain(secret);
  await shell.press('esc');
  await shell.waitFor((frame) => /❯ +exporter/.test(frame) && !frame.includes('── New object storage key'));
  const left = shell.bytes.length;
  expect(shell.text()).not.toContain(secret);
  await hands.byName('JSON of exporter');
  await shell.waitFor('"access_key"');
  await shell.press('esc');
  await shell.waitFor((frame) => !frame.includes('"access_key"'));
  await shell.press('q');
  await shell.waitFor('code 0');
  expect(shell.bytes.slice(left)).not.toContain(secret);
  expect(await written()).not.toContain(secret);
});

test('a secret on the screen when the program is ended is on no screen afterwards', async () => {
  const hands = await open('object-keys');
  await shell.press('n');
  await shell.waitFor('── New object storage key');
  await hands.fill('Label', 'importer');
  await hands.choose('May use', 'nothing');
  await shell.press('ctrl-s');
  await shell.waitFor('never again');
  const [, secret = ''] = /Secret key[\s│]+(\S{40})\s/.exec(shell.text()) ?? [];
  await shell.signal('SIGTERM');
  await shell.ended(143, 'Skydeck was ended by SIGTERM.');
  expect(secret).not.toBe('');
  // A terminal without another screen keeps whatever is not blanked.
  const console = new Emulator(110, 50);
  console.write(shell.bytes.replace(/\x1b\[\?1049[hl]/g, ''));
  await console.shown();
  expect(console.text()).toContain('Skydeck was ended by SIGTERM.');
  const { active } = console.terminal.buffer;
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString());
  expect(lines.join('\n')).not.toContain(secret);
  expect(await written()).not.toContain(secret);
});

test.each([
  ['kill -9', 'SIGKILL', 137],
  ['a crash', 'SIGURG', 70],
] as const)(
  'the secrets of several new keys are on the screen when asked for, and after %s nowhere',
  async (...how) => {
    const [, signal, code] = how;
    const before = await keyIds();
    const fault = "process.on('SIGURG', () => { throw new Error('it crashes'); });";
    await open('object-keys', ['--import', await faultFile(fault)]);
    await shell.press('*', 'a', 'R');
    await shell.waitFor(/── Rotate \d+ of \d+ object storage keys/);
    await shell.press('end', 'enter');
    await shell.waitFor('shown now and never again');
    await shell.press('enter', 'down', 'enter');
    const shown = () => [...shell.text().matchAll(/\b[A-Za-z0-9]{40}\b/g)].map(([secret]) => secret);
    await expect.poll(shown).toHaveLength(2);
    const secrets = shown();
    expect(await commandLines()).not.toContain(secrets[0]);
    await shell.press('*', 'c');
    await shell.waitFor('A line of each that is marked was sent to the clipboard');
    await shell.signal(signal);
    await shell.waitFor(`code ${code}`);
    for (const secret of secrets) expect(await written()).not.toContain(secret);
    expect(await keyIds()).toEqual(expect.arrayContaining([...before]));

    // The next session has them in its journal, without a secret.
    const hands = await open('object-keys');
    await hands.byName('Journal');
    await shell.waitFor(/New object storage key +deploy-assets/);
    for (const secret of secrets) expect(shell.text()).not.toContain(secret);
    for (const secret of secrets) expect(await written()).not.toContain(secret);
  },
);

/** The ids of all keys to object storage. */
async function keyIds(): Promise<readonly unknown[]> {
  const headers = { authorization: `Bearer ${own.demo.tokens.full}` };
  const answer = await fetch(`${own.demo.url}${version}/object-storage/keys`, { headers });
  const { data } = (await answer.json()) as { data: { id: unknown }[] };
  return data.map(({ id }) => id);
}
