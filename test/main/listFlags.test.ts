import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Demo } from '../../src/demo/server.ts';
import { openKeptLists } from '../../src/program/kept/keptLists.ts';
import { loginOf, loginState } from '../../src/program/state/accounts.ts';
import { messageKeeper } from '../../src/program/state/messages.ts';
import { openState } from '../../src/program/state/state.ts';
import type { Row } from '../../src/resources/resource.ts';
import { createNotices } from '../../src/store/notices.ts';
import { clean } from '../../src/text/cells.ts';
import { tsv } from '../../src/text/csv.ts';
import { grouped } from '../../src/text/numbers.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { jsonLines } from '../jsonLines.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment, start } from './program.ts';

let home: string;
let demo: Demo;
/** The API of the profiles c and d, whose boards read less. */
let small: Demo;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-lists-'));
  demo = await startQuietDemo();
  small = await startQuietDemo({ servers: 3 });
  const config = join(home, '.config', 'skydeck');
  await mkdir(config, { recursive: true });
  await writeFile(
    join(config, 'config.toml'),
    `[views.databases]\narea = "servers"\nfilter = "tag:database"\nsort = "-label"\ncolumns = ["label", "status"]\n
${profilesAt(demo, 'a', 'b')}${profilesAt(small, 'c', 'd')}`,
    { mode: 0o600 },
  );
});
afterAll(async () => {
  await demo.close();
  await small.close();
  await rm(home, { recursive: true, force: true });
});

const profilesAt = ({ url }: Demo, ...names: string[]) =>
  names.map((name) => `[profiles.${name}]\nbase_url = "${url}"\ntoken_env = "TOKEN_A"\n`).join('');

const env = () =>
  environment(home, { TOKEN_A: demo.tokens.readOnly, SKYDECK_TOKEN: demo.tokens.readOnly, SKYDECK_BASE_URL: demo.url });
const run = (line: string, ...more: string[]) => skydeck(['snapshot', ...line.split(' '), ...more], env());

/** The output of a run that ends well. */
async function printed(line: string, ...more: string[]): Promise<string> {
  const { stdout, stderr, code } = await run(line, ...more);
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
  return stdout;
}

const csvLines = async (line: string, ...more: string[]) =>
  (await printed(line, ...more, '--format', 'csv')).trim().split('\r\n');

describe('a list as options ask for it', () => {
  test('has the rows that a filter of the screen finds, in an order, with columns and paths, and so many', async () => {
    const options = '--sort=-label --columns label,status,alerts.cpu --limit 2';
    const lines = await csvLines(`servers ${options}`, '--filter', 'tag:database status:running');
    expect(lines).toEqual(['Label,Status,Cpu', 'db-replica-3,running,720', 'db-replica-2,running,720']);
  });

  test('adds to the filter of a view, and changes the rest of it', async () => {
    expect(await csvLines('databases --filter label:replica-1')).toEqual(['Label,Status', 'db-replica-1,running']);
    const [, first] = await csvLines('databases --sort label --columns label');
    expect(first).toBe('db-primary');
  });

  test('reads what a filter and an order look at, also of other lists and about single rows', async () => {
    expect((await csvLines('servers --filter cpu>=0 --sort=-cpu --columns label,cpu --limit 2')).length).toBe(3);
    const attached = await csvLines('volumes --columns label --filter', 'attached-to:db-primary');
    expect(attached.length).toBeGreaterThan(1);
    const json = JSON.parse(await printed('volumes --format json --filter', 'attached-to:db-primary'));
    expect(json.rows.length).toBe(attached.length - 1);
  });

  test('is a line for each row as jsonl, with the rows of json', async () => {
    const { rows } = JSON.parse(await printed('volumes --format json'));
    expect(jsonLines(await printed('volumes --format jsonl'))).toEqual(rows);
  });

  test('is the same as tsv but for what stands between', async () => {
    const tabs = (await printed('regions --format tsv')).trimEnd().split('\n');
    const commas = await csvLines('regions');
    expect(tabs.length).toBe(commas.length);
    expect(tabs[0]?.replaceAll('\t', ',')).toBe(commas[0]);
  });

  test('is byte for byte as before without any option', async () => {
    expect(await printed('servers --format csv --limit 100000')).toBe(await printed('servers --format csv'));
  });

  test('has so many rows of several accounts together, each with its account', async () => {
    const lines = await csvLines('servers --profile a,b --limit 3 --columns label', '--filter', 'tag:database');
    expect(lines).toHaveLength(4);
    expect(lines[0]).toBe('Account,Label');
  });

  test.each(['volumes', 'fleet', 'problems', 'costs', 'accounts', 'activity'])(
    'has so many rows of several accounts together in each format: %s',
    async (area) => {
      const shown = (format: string) => printed(`${area} --profile c,d --limit 2 --format ${format}`);
      expect((await shown('csv')).trimEnd().split('\n')).toHaveLength(3);
      expect((await shown('jsonl')).trimEnd().split('\n')).toHaveLength(2);
      expect(JSON.parse(await shown('json')).rows).toHaveLength(2);
      const text = (await shown('text')).split(/\n\n|\nNot examined/)[0] ?? '';
      expect(text.split('\n').filter((line) => /^[cd] /.test(line))).toHaveLength(2);
    },
  );

  test('filters, sorts and cuts boards whose rows are of one kind', async () => {
    const accounts = await csvLines('accounts --profile a,b --sort=-account --filter state:ok');
    expect(accounts.map((line) => line.split(',')[0])).toEqual(['Account', 'b', 'a']);
    const all = JSON.parse(await printed('problems --format json')).rows;
    const some = JSON.parse(await printed('problems --format json --filter severity:critical --limit 2')).rows;
    expect(some).toEqual(all.filter(({ severity }: { severity: string }) => severity === 'critical').slice(0, 2));
    const fleet = await csvLines(
      'fleet --sort label --columns label,tags,cpu --limit 2 --filter',
      'tag:database cpu>=0',
    );
    expect(fleet.map((line) => line.split(',')[0])).toEqual(['Label', 'db-primary', 'db-replica-1']);
    const busiest = JSON.parse(await printed('fleet --format json')).rows;
    expect(JSON.parse(await printed('fleet --format json --limit 2')).rows).toEqual(busiest.slice(0, 2));
    expect(await csvLines('fleet --filter label:')).toEqual(await csvLines('fleet'));
    const both = await csvLines('fleet --profile a,b --sort=-label --limit 3');
    expect(both.map((line) => line.split(',')[0])).toEqual(['Account', 'a', 'a', 'a']);
    const recent = await csvLines('activity --since 1h --columns when');
    expect(recent.length).toBeLessThan((await csvLines('activity --columns when')).length);
  });
});

test('a board of parts is printed with one of them alone', async () => {
  const home = JSON.parse(await printed('home --format json'));
  const counts = JSON.parse(await printed('home --format json --section Counts'));
  const sectionOf = ({ section }: { section: string }) => section;
  expect(counts.rows).toEqual(home.rows.filter((row: { section: string }) => sectionOf(row) === 'counts'));
  const text = await printed('home --section', 'last activity');
  expect(text).toMatch(/^Last activity\n/);
  expect(text).not.toMatch(/Problems|Servers {2}/);
  expect(new Set((await csvLines('home --section problems')).map((line) => line.split(',')[0]))).toEqual(
    new Set(['section', 'problems']),
  );
  expect(await printed('managed --section issues')).not.toContain('Managed services');
  const both = JSON.parse(await printed('managed --format json --section issues --profile a,b')).rows;
  expect(new Set(both.map(sectionOf))).toEqual(new Set(['issues']));
});

describe('a list under a row', () => {
  test('is found by the label or the id of the row, however deep', async () => {
    const byLabel = await csvLines('domains/example.com/records --filter type:MX --columns type,target');
    expect(byLabel[1]).toBe('MX,mail.example.com');
    const { rows } = JSON.parse(await printed('domains --format json --filter domain=example.com'));
    expect(await csvLines(`domains/${rows[0].id}/records`)).toEqual(await csvLines('domains/example.com/records'));
    const [config] = JSON.parse(await printed('nodebalancers/api-lb/configs --format json')).rows;
    const nodes = await csvLines(`nodebalancers/api-lb/configs/${config.id}/nodes`);
    expect(nodes.length).toBeGreaterThan(1);
    const one = JSON.parse(await printed(`nodebalancers/api-lb/configs/${config.id} --format json`)).rows;
    expect(one).toMatchObject([{ id: config.id }]);
  });

  test('is read page by page where its API has markers in place of pages', async () => {
    const objects = await csvLines('buckets/us-east-1/assets/objects --columns name');
    const [bucket] = JSON.parse(await printed('buckets/us-east-1/assets --format json')).rows;
    expect(objects).toHaveLength(1 + bucket.objects);
    expect(objects).toContain('robots.txt');
  });

  test('as a row by itself, which its label names too where ids are numbers', async () => {
    const byLabel = JSON.parse(await printed('servers/web-1 --format json'));
    expect(byLabel.rows).toMatchObject([{ label: 'web-1' }]);
    expect(await printed(`servers/${byLabel.rows[0].id}`)).toBe(await printed('servers/web-1'));
    expect(await run('servers/web1')).toMatchObject({ code: 3, stderr: expect.stringContaining('did you mean web-1') });
  });

  test('under a row that there is not is missing, with the nearest names', async () => {
    expect(await run('domains/exmple.com/records')).toEqual({
      code: 3,
      stdout: '',
      stderr: 'There is no domain "exmple.com"; did you mean example.com or example.net?\n',
    });
  });
});

test.each([
  ['servers --filter stauts:x', '--filter cannot be read: there is no field stauts; did you mean status?'],
  ['servers --filter label:/(/', '--filter cannot be read: '],
  ['servers --sort lable', '--sort is no column: lable; did you mean label?'],
  ['servers --sort=-', '--sort names no column. They are status, label, '],
  ['servers --columns ,', '--columns names a column without a name; leave it out.'],
  ['servers --columns label,', '--columns names a column without a name; leave it out.'],
  ['buckets/a', 'Buckets are named CLUSTER/LABEL; "a" lacks a part.'],
  ['servers --columns labl', '--columns is no column: labl; did you mean label?'],
  ['servers --columns label,nowhere', '--columns has nowhere, which is no column of servers and no path'],
  ['servers --columns specs.memry.x,nope.a', '--columns has nope.a, which is no column'],
  ['servers --columns label --format json', '--columns works only with --format text, csv or tsv'],
  ['problems --columns severity', '--columns works only with lists of rows'],
  ['servers --section Mine', '--section is no section: Mine; servers have none.'],
  ['stackscripts --section Pblic', '--section is no section: Pblic; did you mean Public?'],
  ['servers --limit 0', '--limit must be a number of rows from 1 to 100000; it is "0".'],
  ['servers --since 1d', '--since works only with journal, audit, requests, activity, events, problems;'],
  ['activity --since soon', '--since must be an age such as 90min, 12h or 7d, or a date such as 2026-01-31'],
  ['activity --since 2026-13-45', '--since must be an age such as 90min, 12h or 7d, or a date such as 2026-01-31'],
  ['home --filter web', '--filter works only with a list, such as skydeck snapshot servers; home has parts, of which'],
  ['managed --limit 3', '--section prints one: problems, services, issues.'],
  ['home --section count', '--section is no section: count; did you mean counts?'],
  ['journal --filter web', 'journal has parts, of which --section prints one: sent from here, running, messages,'],
  ['journal --section message', '--section is no section: message; did you mean messages?'],
  [
    'journal --fail-on problem',
    '--fail-on looks for problems, and journal has none; name another area, such as servers.',
  ],
  ['fleet --section Mine', '--section is no section: Mine; servers have none.'],
  ['fleet --sort lod', '--sort is no column: lod'],
  ['fleet --columns label,nope.a', '--columns has nope.a, which is no column'],
  ['servers/12 --limit 3', '--limit works only with a list, such as skydeck snapshot servers; servers/12 is one row.'],
  ['servers --watch 1', '--watch must be a number of seconds from 3 to 86400; it is "1".'],
  ['servers --watch 9 --fail-on problem', '--watch ends by a signal alone, so --fail-on has no exit code'],
  ['servers --watch 9 --format csv', '--watch prints lines of JSON, so leave out --format.'],
  ['servers/12/dsks', 'There is no list "dsks" under one of servers; did you mean disks?'],
  ['servers/web-1/disks/5', 'Disks cannot be printed one by one; leave off /5.'],
  ['domains/1/records --profile a,b', 'records is a list of one account; name one profile.'],
  ['audit --fail-on problem', '--fail-on looks for problems, and audit has none; name another area, such as servers.'],
  ['requests', 'skydeck snapshot requests needs --log-file FILE'],
])('snapshot %s is refused', async (line, says) => {
  const { code, stdout, stderr } = await run(line);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(says);
});

describe('logs as lists', () => {
  const line = (minutesAgo: number, change: string, more: object) =>
    `${JSON.stringify({ time: new Date(Date.now() - minutesAgo * 60_000).toISOString(), profile: 'a', host: 'h', change, ...more })}\n`;
  const sent = { method: 'PUT', path: '/x', resource: 'servers', action: 'edit', label: '=web', body: { label: 'b' } };

  test('the audit log has a row for each change with its outcome, without any account', async () => {
    const state = join(home, '.local', 'state', 'skydeck');
    await mkdir(state, { recursive: true, mode: 0o700 });
    const lines = [
      line(3000, 's-1', { ...sent, outcome: 'pending' }),
      line(5, 's-2', { ...sent, outcome: 'pending' }),
      line(4, 's-2', { ...sent, outcome: 'done', status: 200 }),
      line(3, 't-1', { ...sent, profile: 'b', outcome: 'pending' }),
    ];
    await writeFile(join(state, 'audit.jsonl'), lines.join(''), { mode: 0o600 });
    const alone = environment(home);
    const { stdout } = await skydeck('snapshot audit --format csv --columns outcome,profile,object'.split(' '), alone);
    expect(stdout.trim().split('\r\n')).toEqual([
      'Outcome,Profile,Object',
      "answer unknown,b,'=web",
      "done,a,'=web",
      "answer unknown,a,'=web",
    ]);
    const rows = await skydeck('snapshot audit --since 1d --profile a --format jsonl'.split(' '), alone);
    expect(JSON.parse(rows.stdout)).toMatchObject({ id: 's-2', outcome: 'done', status: 200 });
    const both = await skydeck('snapshot audit --profile b,a --format csv --columns profile'.split(' '), alone);
    expect(both.stdout.trim().split('\r\n')).toEqual(['Profile', 'b', 'a', 'a']);
    expect((await skydeck(['audit'], alone)).stdout).toContain('OUTCOME');
  });

  test('the journal has what was sent, is running, was said, and changed since a session before', async () => {
    const directory = join(home, '.local', 'state', 'skydeck');
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const lines = [3000, 5].flatMap((ago, nth) => [
      line(ago, `j-${nth}`, { ...sent, outcome: 'pending' }),
      line(ago, `j-${nth}`, { ...sent, outcome: 'done', status: 200 }),
    ]);
    await writeFile(join(directory, 'audit.jsonl'), lines.join(''), { mode: 0o600 });
    const rows: Row[] = JSON.parse(await printed('volumes --format json')).rows;
    const [first, second, ...others] = rows;
    const state = openState(directory, process.geteuid?.());
    const login = { profile: 'a', address: demo.url, token: { value: demo.tokens.readOnly, source: '' } };
    const own = loginOf({ ...login, account: { ...login, baseUrl: demo.url }, demo: false, own: undefined });
    if (!own) throw new Error('a profile with a token has a login');
    const account = loginState(state, own, process);
    const before = { query: { resource: 'volumes', operation: 'list', params: {} }, keptAt: Date.now() - 60_000 };
    const gone = { ...second, id: 1, label: 'was-here' };
    const kept = openKeptLists(state, own, account);
    await kept.save([{ ...before, rows: [{ ...first, size: 1 }, gone, ...others] }]);
    const record = { resource: 'volumes', action: 'delete', label: 'photos', params: { volumeId: '7' } };
    account.of('plan').put([['u1', { place: 0, id: 1, record }]]);
    const end = account.begin(['u1']);
    const text = 'Edit: photos \u001b[2Jfailed';
    createNotices(Date.now, messageKeeper(account, 'a', clean)).say('bad', text);
    onTestFinished(() => {
      end?.();
      state.close();
    });
    const journal = JSON.parse(await printed('journal --profile a --format json'));
    const told = journal.rows.map(({ section, subject, status, value }: Record<string, string>) => [
      ...[section, subject, status],
      section === 'changed meanwhile' ? value : Math.abs(Date.parse(value ?? '') - Date.now()) < 600_000,
    ]);
    expect(told).toEqual([
      ['sent from here', 'Edit: =web', 'done', true],
      ['sent from here', 'Edit: =web', 'done', false],
      ['running', 'Delete photos', 'waiting', true],
      ['messages', 'Edit: photos failed', 'bad', true],
      ['changed meanwhile', `volume ${first?.label}`, 'changed', `size 1 GiB → ${grouped(Number(first?.size))} GiB`],
      ['changed meanwhile', `volume ${second?.label}`, 'new', null],
      ['changed meanwhile', 'volume was-here', 'gone', null],
    ]);
    const newer = await csvLines('journal --profile a --since 1d --section', 'sent from here');
    expect(newer).toHaveLength(2);
    const titles = ['Sent from here\nSTATUS', 'Running\nSTATUS', 'Messages\nSTATUS', 'Changed meanwhile\nSTATUS'];
    const parts = (await printed('journal --profile a --since 1d')).split('\n\n');
    expect(parts.map((part, nth) => part.slice(0, titles[nth]?.length))).toEqual(titles);
    expect(await printed('journal --profile b --section messages')).toBe('Messages\nNothing.\n');
  });

  test('the requests of a run are those of its log', async () => {
    const log = join(home, 'requests.jsonl');
    await printed(`volumes --log-file ${log}`);
    const rows = await printed(`requests --log-file ${log} --filter path:volumes --format jsonl`);
    expect(JSON.parse(rows)).toMatchObject({ method: 'GET', path: expect.stringMatching(/volumes/), status: 200 });
  });
});

test('--watch prints a line of JSON each time, until a signal ends it', async () => {
  const child = start('snapshot regions --limit 1 --watch 3'.split(' '), env());
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.split('\n').length > 2) break;
  }
  const closed = new Promise((resolve) => child.on('close', (code, signal) => resolve(signal ?? code)));
  child.kill('SIGTERM');
  expect(await closed).toBe('SIGTERM');
  const [one, two] = jsonLines(text);
  expect(one).toMatchObject({ area: 'regions', rows: [{ id: expect.any(String) }], missing: [] });
  expect(Date.parse(two.takenAt) - Date.parse(one.takenAt)).toBeGreaterThanOrEqual(2900);
}, 30_000);

test('tsv keeps each row in a line, and no field steers a terminal or is a formula', () => {
  const columns = [
    { title: 'a', value: (text: string) => text },
    { title: 'b', value: () => 1 },
  ];
  expect(tsv(columns, ['x\ty\nz\x1b[2J', '=1+1'])).toBe("a\tb\nx y z\t1\n'=1+1\t1\n");
});
