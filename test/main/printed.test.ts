import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { areas } from '../../src/program/areas.ts';
import { codeFormatNames } from '../../src/store/export/formatNames.ts';
import { samplePlan } from '../config/plan.ts';
import { jsonLines } from '../jsonLines.ts';
import { pathOf, type Route, serve } from './apiServer.ts';
import { skydeckHere as skydeck } from './here.ts';
import { type Ended, environment, start } from './program.ts';

/** Sequences that set titles, clear screens and turn text around, by all their introducers. */
const hostile = 'x\x1b]0;PWN\x07\x1b[2J\x00\x08\x0b\x7f\x85\x9b31m\x9d0;y\x9c\u061c\u200f\u202e\u2066z';
const steering = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufffd]/;
/** As TOML writes it in a string of one line. */
const inToml = JSON.stringify(hostile).replace(/[\x7f-\x9f]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`);

let home: string;
let config: string;
let plan: string;
let server: Awaited<ReturnType<typeof serve>>;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'skydeck-printed-'));
  const volume = { id: 1, label: hostile, size: 20, status: hostile, region: hostile, tags: [hostile] };
  const machine = { id: 2, label: hostile, status: 'running', ipv4: [hostile], region: hostile, tags: [hostile] };
  const event = { id: 3, action: 'volume_resize', status: 'started', created: '2026-01-01T00:00:00', message: hostile };
  const routes = areas.map(({ list, view }): [string, Route] =>
    list ? [list.path, () => ({ rows: [] })] : [view?.path ?? '', () => ({ body: { company: hostile } })],
  );
  server = await serve({
    ...Object.fromEntries(routes),
    [pathOf('volumes')]: () => ({ rows: [{ ...volume, status: 'broken' }] }),
    [pathOf('servers')]: () => ({ rows: [machine] }),
    [pathOf('events')]: () => ({ rows: [{ ...event, entity: { id: 1, type: 'volume', label: hostile } }] }),
    [pathOf('domains')]: () => ({ status: 400, body: { errors: [{ reason: hostile, field: hostile }] } }),
  });
  const folder = join(home, `c${hostile.replace('\x00', '')}`);
  await mkdir(folder);
  config = join(folder, 'config.toml');
  const profile = `base_url = "${server.baseUrl}"\ntoken_env = "T"\n`;
  await writeFile(
    config,
    [
      `[profiles.work]\n${profile}[profiles.${inToml}]\n${profile}[profiles.bad]\n${inToml} = ${inToml}\ntheme = ${inToml}`,
      `[[profiles.work.guards]]\nfor = "servers"\nactions = ["*"]\ndeny = true\nreason = ${inToml}`,
      `[views.mine]\narea = ${inToml}\n[views.${inToml}]\narea = "volumes"\nfilter = ${inToml}`,
      `[[commands]]\nname = ${inToml}\nfor = "servers"\nkey = "b"\nrequest = { path = ${inToml} }\nask = ${inToml}`,
      `[[commands]]\nname = "two"\nfor = "servers"\nchanges = false\nrun = ["a", "{a${inToml.slice(1, -1)}}"]`,
    ].join('\n'),
    { mode: 0o600 },
  );
  plan = join(folder, 'plan.json');
  const { steps, ...head } = samplePlan();
  const told = steps.map(({ record, ...step }) => ({ ...step, record: { ...record, label: hostile } }));
  await writeFile(plan, JSON.stringify({ ...head, program: hostile, profile: hostile, steps: told }), { mode: 0o600 });
});
afterAll(async () => {
  await server.close();
  await rm(home, { recursive: true, force: true });
});

const env = () =>
  environment(home, { T: 'sesame', SKYDECK_TOKEN: 'sesame', SKYDECK_BASE_URL: server.baseUrl, LANG: 'C.UTF-8' });

/** The bytes as a terminal reads them, without what may stand between lines. */
const seen = (text: string) => text.replace(/\r?\n/g, '\u2028');

const commands: readonly (readonly [string, () => string[]])[] = [
  ['help', () => ['--help']],
  ['version', () => ['--version']],
  ['an unknown word', () => [hostile.replaceAll('\x00', '')]],
  ['an unknown option', () => [`--${hostile.replaceAll('\x00', '')}`]],
  ['config check', () => ['config', 'check', config]],
  ['config path', () => ['config', 'path', '--config', config]],
  ['doctor', () => ['doctor', '--config', config, '--profile', 'work']],
  ['doctor without the file', () => ['doctor', '--config', `${config}.gone`]],
  ['cache', () => ['cache', '--profile', hostile.replaceAll('\x00', '')]],
  ['accounts', () => ['accounts', '--config', config]],
  ['ssh', () => ['ssh', hostile.replaceAll('\x00', '')]],
  ['a plan as text', () => ['plan', 'show', plan]],
  ['a plan as JSON', () => ['plan', 'show', plan, '--format', 'json']],
  ['a plan that is refused', () => ['plan', 'apply', plan, '--dry-run']],
  ['a file that is no plan', () => ['plan', 'show', config]],
  ...codeFormatNames.map((name): readonly [string, () => string[]] => [
    `an export as ${name}`,
    () => ['export', '--format', name],
  ]),
  ...['home', 'problems', 'activity', 'volumes', 'servers', 'domains', 'account'].flatMap((area) =>
    ['text', 'json', 'csv'].map((format): readonly [string, () => string[]] => [
      `${area} as ${format}`,
      () => ['snapshot', area, '--format', format, '--fail-on', 'problem'],
    ]),
  ),
];

const check = ({ stdout, stderr, code }: Ended) => {
  expect(code).not.toBe(70);
  expect(stdout.length + stderr.length).toBeGreaterThan(0);
  for (const text of [stdout, stderr]) expect(steering.exec(seen(text))).toBeNull();
};

test.each(commands)('nothing that %s prints steers a terminal', async (_, args) => check(await skydeck(args(), env())));

test('no line of watch --jsonl steers a terminal', async () => {
  const child = start(['watch', '--jsonl'], env());
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  await expect.poll(() => stdout, { timeout: 20_000 }).toContain('"on":"start"');
  child.kill('SIGKILL');
  check({ stdout, stderr: '', code: 0 });
  // Escapes are read back as the characters they stand for.
  const [{ jobs }] = jsonLines(stdout);
  expect(jobs[0].message).toBe(hostile);
});
