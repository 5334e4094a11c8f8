import { lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { configurationOf } from '../../src/config/configuration.ts';
import { type Demo, startDemo } from '../../src/demo/server.ts';
import { changeViewsFile } from '../../src/program/config/besideFiles.ts';
import { readConfig } from '../../src/program/config/readConfig.ts';
import { createSavedViews } from '../../src/store/views/userViews.ts';
import { skydeckHere as skydeck } from './here.ts';
import { environment } from './program.ts';

let home: string;
let demo: Demo;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-views-'));
  demo = await startDemo({ pace: 50, seed: 1, colleagues: false });
  await mkdir(join(home, '.config', 'skydeck'), { recursive: true });
  await writeFile(
    join(home, '.config', 'skydeck', 'config.toml'),
    `[views.databases]
area = "servers"
filter = "tag:database"
sort = "-label"
columns = ["label", { value = "alerts.network_in", title = "Alert", width = 8 }, "status"]
[views.busy]
area = "servers"
filter = "tag:database cpu>=0"
columns = ["label"]
[views.batches]
area = "servers"
filter = "tag:batch"
columns = ["label"]
[views.waste]
area = "costs"
section = "Idle or off"
columns = ["label", "cost"]
filter = "what:server"
[views.sums]
area = "costs"
section = "By tag"
filter = "label:batch"
[views.broken]
area = "severs"
`,
    { mode: 0o600 },
  );
});
afterAll(async () => {
  await demo.close();
  await rm(home, { recursive: true, force: true });
});

const run = (...args: string[]) =>
  skydeck(args, environment(home, { SKYDECK_TOKEN: demo.tokens.readOnly, SKYDECK_BASE_URL: demo.url }));

test('a snapshot of a view has its rows, in its order, with its columns', async () => {
  const { stdout, code, stderr } = await run('snapshot', 'databases', '--format', 'csv');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.split('\r\n').slice(0, 3)).toEqual([
    'Label,Alert,Status',
    expect.stringMatching(/^db-replica-3,\d+,running$/),
    expect.stringMatching(/^db-replica-2,\d+,running$/),
  ]);
  expect(stdout).not.toContain('api-1');
});

test('a view of costs prints its rows, by the columns of its section, and no problems are looked for in it', async () => {
  const waste = await run('snapshot', 'waste', '--format', 'csv');
  expect(waste.stderr).toBe('');
  expect(waste.stdout.trim().split('\r\n')).toEqual([
    'Label,Cost',
    'batch-2,72',
    'batch-4,72',
    'worker-5,24',
    'staging-db,24',
  ]);
  const sums = await run('snapshot', 'sums');
  expect(sums.stdout).toMatch(
    /^LABEL +ROWS +A MONTH +IDLE OR OFF +WHAT WOULD HELP +NOT TOLD +IDLE ROWS\nbatch +8 +\$288\.00 +\$144\.00 +Capture an image, delete .* batch-2 off and batch-4 off/,
  );
  const refused = await run('snapshot', 'waste', '--fail-on', 'problem');
  expect(refused).toMatchObject({ code: 2, stdout: '' });
  expect(refused.stderr).toContain('--fail-on looks for problems, and costs has none');
});

test('a filter by load reads what it needs, and problems of other rows do not fail the run', async () => {
  const busy = await run('snapshot', 'busy', '--format', 'json', '--fail-on', 'problem');
  const { rows, problems } = JSON.parse(busy.stdout);
  expect(rows.map(({ label }: { label: string }) => label).sort()).toEqual([
    'db-primary',
    'db-replica-1',
    'db-replica-2',
    'db-replica-3',
  ]);
  const ids = rows.map(({ id }: { id: number }) => String(id));
  for (const { params } of problems) expect(ids).toContain(params.serverId);
  expect(busy.code).toBe(problems.length > 0 ? 1 : 0);
  const batches = await run('snapshot', 'batches', '--format', 'json', '--fail-on', 'critical');
  expect(JSON.parse(batches.stdout).problems).toContainEqual(expect.objectContaining({ label: 'batch-4' }));
  expect(batches.code).toBe(1);
});

test('a word that is no area lists the views as well', async () => {
  const { stderr, code } = await run('snapshot', 'databasez');
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^There is no area or command "databasez".* The views are databases, busy, batches, waste and sums; did you mean databases\?\n$/,
  );
  const broken = await run('snapshot', 'broken');
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(
    /config\.toml, line \d+: views\.broken\.area .*did you mean servers\?.* The view broken is left out\.\n$/,
  );
  const views = join(home, '.config', 'skydeck', 'views.toml');
  await writeFile(views, 'mine = {', { mode: 0o600 });
  const damaged = await run('snapshot', 'mine');
  await rm(views);
  expect(damaged.code).toBe(2);
  expect(damaged.stderr).toMatch(
    /^There is no area or command "mine".* The saved views are left out: .*views\.toml, line 1: "mine" is not valid TOML: .*\n$/,
  );
  const wall = await run('watch', 'databasez');
  expect(wall.code).toBe(2);
  expect(wall.stderr).toContain('Standard output is not a terminal');
});

test('a view of the configuration is neither shadowed nor forgotten by one that is saved', async () => {
  const path = join(home, 'other-views.toml');
  const { config } = await readConfig(join(home, '.config', 'skydeck', 'config.toml'), false);
  const configuration = createStore(() => configurationOf(config, ''));
  const saved = createSavedViews(configuration, { path, change: async (alter) => changeViewsFile(path, alter) });
  const says = 'databases is a view of the configuration file itself; change it there, or choose another name.';
  await expect(saved.save('databases', { area: 'volumes' })).rejects.toThrow(says);
  // It is not offered to be replaced by pressing once more.
  await expect(saved.save('databases', { area: 'volumes' }, false)).rejects.toThrow(says);
  await expect(saved.forget('databases')).rejects.toThrow(says);
  expect(configuration.getState().views.databases).toMatchObject({ area: 'servers' });
  await saved.save('mine', { area: 'volumes' });
  await saved.forget('mine');
  expect(await readFile(path, 'utf8')).not.toMatch(/databases|mine/);
});

test('saved views are read beside the configuration, in a file of their own', async () => {
  const directory = join(home, '.config', 'skydeck');
  const path = join(directory, 'views.toml');
  changeViewsFile(path, (views) => ({ ...views, mine: { area: 'volumes', filter: 'size>10GiB' } }));
  changeViewsFile(path, (views) => ({ ...views, databases: { area: 'volumes' }, other: { area: 'images' } }));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { config, mistakes } = await readConfig(join(directory, 'config.toml'), false);
  expect(config.views).toMatchObject({ mine: { filter: 'size>10GiB' }, databases: { area: 'servers' }, other: {} });
  expect(mistakes.map(({ says }) => says)).toEqual([expect.stringContaining('did you mean servers?')]);

  // A view with a mistake would be lost.
  const half = '[views.good]\narea = "volumes"\n[views.half]\narea = 3\n';
  await writeFile(path, half);
  expect(() => changeViewsFile(path, (views) => ({ ...views, more: { area: 'images' } }))).toThrow(
    'It is not written until that is mended.',
  );
  expect(await readFile(path, 'utf8')).toBe(half);

  await writeFile(path, '[views.mine\n');
  expect(() => changeViewsFile(path, (views) => views)).toThrow('views.toml, line 1');
  const damaged = await readConfig(join(directory, 'config.toml'), false);
  expect(damaged.mistakes).toHaveLength(2);
  expect(damaged.mistakes[1]).toMatchObject({ stops: 'part', file: path });
  expect(Object.keys(damaged.config.views)).toEqual(['databases', 'busy', 'batches', 'waste', 'sums']);
  expect(await readFile(path, 'utf8')).toBe('[views.mine\n');
  await rm(path);
});

test('of two sessions that save at once one is told, and neither loses a view', async () => {
  const path = join(home, 'shared-views.toml');
  const adding = (name: string) => (views: Parameters<Parameters<typeof changeViewsFile>[1]>[0]) => ({
    ...views,
    [name]: { area: 'volumes' },
  });
  changeViewsFile(path, adding('before'));
  changeViewsFile(path, (views) => {
    expect(() => changeViewsFile(path, adding('theirs'))).toThrow(
      /something else writes it at this moment; do it again/,
    );
    return adding('mine')(views);
  });
  changeViewsFile(path, adding('theirs'));
  expect(await readFile(path, 'utf8')).toMatch(/before[\s\S]*mine[\s\S]*theirs/);
  await writeFile(path, Buffer.from([0x23, 0xff, 0x0a]));
  expect(() => changeViewsFile(path, adding('other'))).toThrow('is not UTF-8 text, so it stays as it is');
});

test('a link to the saved views stays one: the file that it leads to has them', async () => {
  const [path, real] = [join(home, 'linked.toml'), join(home, 'dotfiles.toml')];
  await writeFile(real, '[views.mine]\narea = "volumes"\n', { mode: 0o600 });
  await symlink(real, path);
  changeViewsFile(path, (views) => ({ ...views, other: { area: 'images' } }));
  expect((await lstat(path)).isSymbolicLink()).toBe(true);
  expect(await readFile(real, 'utf8')).toMatch(/mine[\s\S]*other/);
});
