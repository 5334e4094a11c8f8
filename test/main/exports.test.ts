import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { resourceNamed } from '../../src/resources/index.ts';
import { type Route, serve } from './apiServer.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

const { list: domains } = resourceNamed('domains');
const { list: records } = resourceNamed('records');
const { view: account } = resourceNamed('account');

let home: string;
let server: Awaited<ReturnType<typeof serve>>;
/** The answer to a reading of the records of one domain. */
let answer: Route = () => ({ rows: [] });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-export-'));
  const rows = [
    { id: 7, domain: 'a.example', type: 'master', tags: ['kept'] },
    { id: 8, domain: 'b.example', type: 'master', tags: [] },
  ];
  const hosts = [1, 2].map((id) => ({ id, label: `web-${id}`, ipv4: [`192.0.2.${id}`], tags: [] }));
  const under = (id: number) => (records?.path ?? '').replace(/\{\w+\}/, String(id));
  server = await serve({
    [account?.path ?? '']: () => ({ body: {} }),
    [domains?.path ?? '']: () => ({ rows }),
    [resourceNamed('servers').list?.path ?? '']: () => ({ rows: hosts }),
    [under(7)]: () => ({ rows: [{ id: 71, type: 'A', name: 'www', target: '192.0.2.1' }] }),
    [under(8)]: (request) => answer(request),
  });
});
afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

const run = (...words: string[]) =>
  skydeck(['export', ...words], environment(home, { SKYDECK_TOKEN: 'sesame', SKYDECK_BASE_URL: server.baseUrl }));

it('has an area with what lies under it, and of rows that a filter finds those under them alone', async () => {
  const { stdout, code } = await run('domains', '--format', 'terraform-import', '--filter', 'tag:kept');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^# Made by Skydeck at \S+ from 127\.0\.0\.1:\d+: domains, filter tag:kept\.\n\nimport {/);
  expect([...stdout.matchAll(/id = "(.*)"/g)].map(([, id]) => id)).toEqual(['7', '7,71']);
  expect(stdout).toContain('to = server_domain.a_example\n');
  const prefixed = await run('domains', '--format', 'terraform-import', '--provider-prefix', 'acme');
  expect(prefixed.stdout).toContain('to = acme_domain.a_example\n');
});

it('is written whole, for its owner alone, or not at all', async () => {
  const folder = await mkdtemp(join(home, 'out-'));
  const file = join(folder, 'account.zone');
  answer = () => ({ rows: [] });
  expect(await run('--format', 'zone', '--out', file)).toEqual({ code: 0, stdout: '', stderr: '' });
  const first = await readFile(file, 'utf8');
  expect(first).toMatch(/www +IN +A +192\.0\.2\.1/);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  answer = () => ({ status: 403, body: { errors: [{ reason: 'Not yours.' }] } });
  const { code, stdout, stderr } = await run('--format', 'zone', '--out', file);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain('Not yours');
  expect(await readFile(file, 'utf8')).toBe(first);
  expect(await readdir(folder)).toEqual(['account.zone']);
  answer = () => ({ rows: [] });
  const inFile = await run('--format', 'zone', '--out', join(file, 'x'));
  expect([inFile.code, inFile.stderr]).toEqual([2, expect.stringContaining('/x cannot be written: ')]);
});

it('replaces no file but one of its own, whose mode and link stay', async () => {
  const folder = await mkdtemp(join(home, 'own-'));
  const [file, link] = [join(folder, 'config'), join(folder, 'link')];
  const hosts = 'Host mine\n  # Made by Skydeck at some time\n';
  await writeFile(file, hosts, { mode: 0o644 });
  await symlink(file, link);
  for (const out of [file, link]) {
    const { code, stderr } = await run('--format', 'zone', '--out', out);
    expect({ code, stderr }).toEqual({
      ...{
        code: 2,
        stderr: `${out} is not replaced: it was not made by Skydeck, or with other columns; name another file, or move it away.\n`,
      },
    });
    expect(await readFile(file, 'utf8')).toBe(hosts);
  }
  const [asFile, within] = [folder, join(folder, 'none', 'config')];
  for (const [out, why] of [
    [asFile, 'it is a directory'],
    [within, 'no such file or directory'],
  ] as const)
    expect(await run('--format', 'zone', '--out', out)).toEqual({
      ...{ code: 2, stdout: '', stderr: `${out} cannot be written: ${why}.\n` },
    });
  await writeFile(file, '');
  for (const out of [file, link]) expect((await run('--format', 'zone', '--out', out)).code).toBe(0);
  expect(await readFile(file, 'utf8')).toMatch(/^; Made by Skydeck at /);
  expect((await stat(file)).mode & 0o777).toBe(0o644);
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect((await readdir(folder)).sort()).toEqual(['config', 'link']);
  await rm(file);
  expect((await run('--format', 'zone', '--out', link)).stderr).toContain(
    'link cannot be written: it is a link that leads nowhere.',
  );
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  const targets = join(folder, 'targets.json');
  for (const _ of [1, 2]) expect((await run('--format', 'prometheus', '--out', targets)).code).toBe(0);
  expect((await readFile(targets, 'utf8')).match(/Made by Skydeck/g)).toHaveLength(1);
});

it.each(['csv', 'json'])(
  'replaces its own file in %s, which says nothing of its maker, and no other',
  async (format) => {
    const folder = await mkdtemp(join(home, 'plain-'));
    const [own, other] = [join(folder, 'own'), join(folder, 'other')];
    for (const _ of [1, 2])
      expect(await run('domains', '--format', format, '--out', own)).toEqual({ code: 0, stdout: '', stderr: '' });
    const text = await readFile(own, 'utf8');
    expect(text).toContain('b.example');
    const mine = format === 'csv' ? 'Label,Note\nweb-1,mine\n' : '{\n  "area": "mine"\n}\n';
    await writeFile(other, mine);
    const { code, stderr } = await run('domains', '--format', format, '--out', other);
    expect([code, stderr]).toEqual([2, expect.stringContaining('was not made by Skydeck')]);
    expect(await readFile(other, 'utf8')).toBe(mine);
  },
);

it('says by which filter a view has its rows', async () => {
  const config = join(home, 'views.toml');
  await writeFile(config, '[views.kept]\narea = "domains"\nfilter = "tag:kept"\n', { mode: 0o600 });
  const { stdout } = await run('kept', '--format', 'terraform-import', '--config', config);
  expect(stdout).toMatch(/^# Made by Skydeck at \S+ from \S+: domains, filter tag:kept\.\n/);
  expect([...stdout.matchAll(/id = "(.*)"/g)].map(([, id]) => id)).toEqual(['7', '7,71']);
});

it('names the rows that a format has', async () => {
  expect(await run('domains', '--format', 'ansible')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--format ansible has rows of servers, not of domains.'),
  });
  expect(await run('records', '--format', 'terraform-import')).toEqual({
    ...{ code: 2, stdout: '' },
    stderr:
      '--format terraform-import has rows of servers, volumes, images, StackScripts, domains, NodeBalancers and buckets, with what lies under them, not of records.\n',
  });
});
