import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere } from './here.ts';
import { configureWork, environment } from './program.ts';

let home: string;
let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());
beforeEach(async () => {
  home = temporaryFolder('dns');
  await configureWork(home, demo.url);
});

const skydeck = (...words: string[]) => skydeckHere(words, environment(home, { WORK: demo.tokens.full }));
const dns = (...words: string[]) => skydeck('dns', ...words);

async function saved(text: string, name = 'zone'): Promise<string> {
  const file = join(home, name);
  await writeFile(file, text);
  return file;
}

/** The file of a zone of the demo. */
async function exported(zone = 'example.com'): Promise<string> {
  const { code, stdout, stderr } = await dns('export', zone);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

test('what is exported has no mistakes, and there is nothing to plan about it', async () => {
  const text = await exported();
  expect(text).toMatch(/^\$ORIGIN example\.com\.\n\$TTL 3600\n@ IN SOA \. /);
  const file = await saved(text);
  expect(await dns('check', file)).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: expect.stringMatching(/^\S+zone has no mistakes: example\.com, \d+ records\.\n$/),
  });
  expect(await dns('plan', file)).toEqual({ code: 0, stdout: '', stderr: `example.com is as ${file} has it.\n` });
});

test('the changes of a file are a plan, which is carried out as any other', async () => {
  const before = await exported();
  const changed = before
    .replace(/^(@ .*MX +)\d+/m, '$177')
    .replace(/^.* CAA .*\n/m, '')
    .replace(/$/, 'zone-test 300 TXT "one; \\"two\\""\n');
  const file = await saved(changed);
  const printed = await dns('plan', file);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  expect(printed.stdout).toContain('A plan of 3 steps');
  expect(printed.stdout).toMatch(/Priority: \d+ → 77/);
  const plan = join(home, 'plan.json');
  expect(await dns('plan', file, '--out', plan)).toMatchObject({
    ...{ code: 0, stdout: '' },
    stderr: expect.stringContaining('skydeck plan apply'),
  });
  expect((await stat(plan)).mode & 0o777).toBe(0o600);
  const { steps } = JSON.parse(await readFile(plan, 'utf8'));
  expect(
    steps.map(({ record: { action, label } }: { record: Record<string, string> }) => `${action} ${label}`),
  ).toEqual(['delete CAA @', 'edit MX @', 'create TXT zone-test']);
  expect(await dns('plan', file, '--out', plan)).toMatchObject({
    ...{ code: 2, stdout: '' },
    stderr: `${plan} cannot be written: it exists already, and nothing is overwritten; name another file.\n`,
  });
  expect(await skydeck('plan', 'apply', plan, '--confirm', '3')).toMatchObject({ code: 0 });
  expect(await dns('plan', file)).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('is as') });
  await saved(before);
  expect((await dns('plan', file)).stdout).toContain('A plan of 3 steps');
});

test('of one zone one file is planned: another would take back what the first brings', async () => {
  const text = await exported();
  const [file, other] = [
    await saved(text.replace(/^www .*\n/m, '')),
    await saved(`${text}new A 192.0.2.66\n`, 'other'),
  ];
  const says = `${other} is of the zone example.com, as ${file} is: plan one of them.\n`;
  expect(await dns('plan', file, other)).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining(says) });
  expect(await dns('plan', file, file)).toMatchObject({ code: 2, stdout: '' });
});

test('a name changes its type, which needs its old record to be gone first', async () => {
  const before = await exported();
  const file = await saved(
    before.replace(/^www .*\n/m, 'www A 192.0.2.66\nwww TXT "now an address"\n').replace(/^mail .*\n/m, ''),
  );
  const plan = join(home, 'plan.json');
  expect((await dns('plan', file, '--out', plan)).code).toBe(0);
  expect(await skydeck('plan', 'apply', plan, '--dry-run')).toMatchObject({ code: 0 });
  const applied = await skydeck('plan', 'apply', plan, '--confirm', '4');
  expect(applied).toMatchObject({ code: 0 });
  expect(await dns('plan', file)).toMatchObject({ stderr: expect.stringContaining('is as') });
});

test('all mistakes are told with file, line and column, and nothing is planned', async () => {
  const text = await exported();
  const file = await saved(`${text}x A 1.2.3\n$INCLUDE y\nftp HINFO a b\n`);
  const line = text.split('\n').length;
  const mistakes = [
    `${file}:${line}:5: Target must be an IPv4 address, e.g. 192.0.2.10.`,
    `${file}:${line + 1}:1: $INCLUDE is not read, only $ORIGIN and $TTL; write what it stands for in its place.`,
    `${file}:${line + 2}:5: the API has no records of type HINFO, only A, AAAA, NS, MX, CNAME, TXT, SRV, PTR, CAA.`,
  ];
  // A test before this one has taken the mail server away.
  const notes = ['MX record of example.com', 'SRV record of _submission._tcp.example.com'].map(
    (record) => `note: The ${record} leads to mail.example.com, for which example.com has no record (RFC`,
  );
  const { code, stderr, stdout } = await dns('check', file);
  expect({ code, stderr }).toEqual({ code: 2, stderr: '' });
  const lines = stdout.trimEnd().split('\n');
  expect(lines.slice(0, mistakes.length)).toEqual(mistakes);
  expect(lines.slice(mistakes.length)).toEqual(notes.map((note) => expect.stringContaining(note)));
  const fine = await saved(`${await exported('example.net')}new A 192.0.2.66\n`, 'fine');
  expect(await dns('plan', fine)).toMatchObject({ code: 0, stderr: '' });
  const out = join(home, 'plan.json');
  expect(await dns('plan', fine, file, '--out', out)).toEqual({
    ...{ code: 2, stdout: '' },
    stderr: `${mistakes.join('\n')}\nNothing was planned.\n`,
  });
  await expect(stat(out)).rejects.toThrow();
});

test('a file that names no zone gets it by --zone', async () => {
  const file = await saved('www A 192.0.2.1\n');
  expect((await dns('check', file)).stdout).toContain(':1:1: www is relative, and no $ORIGIN says to what');
  expect(await dns('check', file, '--zone', 'example.com')).toMatchObject({ code: 0 });
  expect((await dns('plan', file, '--zone', 'example.com')).stdout).toMatch(/Delete|Edit/);
  expect(await dns('plan', file, '--zone', 'exampel.com')).toEqual({
    ...{ code: 3, stdout: '' },
    stderr: `${file}: there is no domain "exampel.com"; did you mean example.com?\n`,
  });
});

test.each([
  [['export'], 2, 'skydeck dns export needs a zone after it.'],
  [['show', 'x'], 2, 'skydeck dns does not know "show"'],
  [['export', 'exampel.com'], 3, 'There is no domain "exampel.com"; did you mean example.com?'],
  [['export', 'example.com', '--zone', 'a.example'], 2, '--zone names the zone of one file'],
  [['check', 'a', '--out', 'b'], 2, 'skydeck dns check takes no --out, so leave it out.'],
  [['check', '/nowhere/zone'], 2, 'The zone file /nowhere/zone cannot be read: no such file or directory.'],
  [['export', 'example.com', '--base-url', 'http://127.0.0.1:9'], 3, ''],
])('%j', async (words, code, says) => {
  const ended = await dns(...words);
  expect(ended).toMatchObject({ code, stdout: '' });
  expect(ended.stderr).toContain(says);
});
