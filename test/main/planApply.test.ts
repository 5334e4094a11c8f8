import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { PlanFile, PlanFileStep as StepWithUid } from '../../src/config/planSchema.ts';
import type { Demo } from '../../src/demo/server.ts';
import { parseArguments } from '../../src/program/arguments.ts';
import type { Row } from '../../src/resources/resource.ts';
import { answering } from '../answering.ts';
import { version } from '../api/server.ts';
import { type Exchanged, refusal, startOtherApi } from '../journeys/otherApi.ts';
import { startQuietDemo } from '../journeys/skydeck.ts';
import { jsonLines } from '../jsonLines.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere as skydeck } from './here.ts';
import { configureWork, type Ended, endOf, environment, start } from './program.ts';

/** Of a file of the first version, which names no identities. */
type PlanFileStep = Omit<StepWithUid, 'uid'>;

let home: string;
let demo: Demo;
beforeAll(async () => {
  demo = await startQuietDemo();
});
afterAll(() => demo.close());
beforeEach(() => {
  home = temporaryFolder('apply');
});

const server = '48200101';
const rename = (id: number, label: string, before: string): PlanFileStep => ({
  id,
  record: {
    resource: 'servers',
    action: 'edit',
    params: { serverId: server },
    label: before,
    body: { label },
    before: { label: before },
  },
});
const create = (id: number, label: string): PlanFileStep => ({
  id,
  record: { resource: 'volumes', action: 'create', params: {}, label, body: { label, size: 20, region: 'us-east' } },
});
const tagOf = (id: number, step: number): PlanFileStep => ({
  id,
  record: {
    resource: 'volumes',
    action: 'edit',
    params: { volumeId: { $step: step } },
    label: 'new',
    body: { tags: ['kept'] },
  },
});

/** The files of a machine on which the profile `work` is this API; `more` is added to it. */
async function prepare(url: string, steps: readonly PlanFileStep[], more = '', head: Partial<PlanFile> = {}) {
  await configureWork(home, url, more);
  const { host } = new URL(url);
  const plan = { version: 1, madeAt: '2026-11-23T18:04:00.000Z', program: '0.1.0', host, ...head, steps };
  await writeFile(file(), JSON.stringify(plan));
}

const file = () => join(home, 'plan.json');
const state = () => join(home, '.local', 'state', 'skydeck');
const variables = () => environment(home, { WORK: demo.tokens.full });
const apply = (...words: string[]): Promise<Ended> => skydeck(['plan', 'apply', file(), ...words], variables());

/** A row of an API, or a page of a list. */
async function read(url: string, path: string): Promise<Row> {
  const answer = await fetch(`${url}${version}/${path}`, { headers: { authorization: `Bearer ${demo.tokens.full}` } });
  return (await answer.json()) as Row;
}
const labelled = async (url: string, label: string) =>
  ((await read(url, 'volumes?page_size=100')).data as Row[]).filter((row) => row.label === label);
const changesIn = (seen: readonly Exchanged[]) =>
  seen.filter(({ method }) => method !== 'GET').map(({ method, path }) => `${method} ${path}`);

describe('skydeck plan apply', () => {
  it('carries a plan out once, with a line and an entry of the audit log for each step', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    const { euuid } = await read(url, 'account');
    await prepare(url, [rename(7, 'web-one', 'web-1'), create(2, 'archive'), tagOf(3, 2)], '', {
      euuid: String(euuid),
    });
    expect(await apply('--confirm', '3')).toEqual({
      code: 0,
      stdout: '7  Edit web-1: done\n2  New volume archive: done\n3  Edit new: done\nAll 3 steps are done.\n',
      stderr: '',
    });
    expect((await labelled(url, 'archive')).map(({ tags }) => tags)).toEqual([['kept']]);
    expect((await read(url, `server/instances/${server}`)).label).toBe('web-one');
    const audit = jsonLines(await readFile(join(state(), 'audit.jsonl'), 'utf8'));
    expect(audit.map(({ outcome }) => outcome)).toEqual(Array(3).fill(['pending', 'done']).flat());
    expect((await stat(join(state(), 'skydeck.db'))).mode & 0o777).toBe(0o600);

    const before = changesIn(seen).length;
    const again = await apply('--confirm', '3');
    expect(again.code).toBe(0);
    expect(again.stdout).toContain('7  Edit web-1: done before\n');
    expect(again.stderr).toBe('The plan was carried out before; --from 7 does it once more. Nothing was sent.\n');
    expect(changesIn(seen)).toHaveLength(before);
  });

  it('goes on where it stopped, as lines of JSON', async () => {
    let isFull = true;
    const { url } = await startOtherApi(
      () => undefined,
      ({ method, path }) =>
        method === 'PUT' && path.startsWith('/volumes') && isFull ? refusal(400, 'Not now.') : undefined,
    );
    await prepare(url, [create(1, 'archive'), tagOf(2, 1), rename(3, 'web-one', 'web-1')]);
    const first = await apply('--confirm', '3', '--jsonl');
    expect(first).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 of 3 steps done. The same command goes on with step 2.'),
    });
    const states = ({ stdout }: Ended) => jsonLines(stdout).map(({ step, state }) => [step, state]);
    expect(states(first)).toEqual([
      [1, 'done'],
      [2, 'failed'],
    ]);
    expect(first.stdout).toContain('Not now (400).');
    isFull = false;
    expect((await apply('--confirm', '3')).stderr).toContain('the plan has 2 steps to carry out; nothing was sent.');
    const second = await apply('--confirm', '2', '--jsonl');
    expect(second.code).toBe(0);
    expect(states(second)).toEqual([
      [1, 'done before'],
      [2, 'done'],
      [3, 'done'],
    ]);
    expect(await labelled(url, 'archive')).toHaveLength(1);
  });

  it('is refused while another process carries the same plan out, and not because of one that was killed', async () => {
    const waiting: (() => void)[] = [];
    const { url, seen } = await startOtherApi(() => undefined);
    const between = createServer((request, response) => {
      const go = answering(async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
        const { authorization = '' } = request.headers;
        const headers = { authorization, 'content-type': 'application/json' };
        const answer = await fetch(url + request.url, { method: request.method, headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      });
      if (request.method === 'GET') go(request, response);
      else waiting.push(() => go(request, response));
    });
    await new Promise<void>((listening) => between.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void between.close());
    await prepare(`http://127.0.0.1:${(between.address() as AddressInfo).port}`, [create(1, 'archive')]);
    const first = start(['plan', 'apply', file(), '--confirm', '1'], variables());
    await vi.waitFor(() => expect(waiting).toHaveLength(1), { timeout: 20_000 });
    const second = await apply('--confirm', '1');
    expect(second).toMatchObject({ code: 1, stdout: '' });
    expect(second.stderr).toMatch(
      /(^|\n)Another session \(process \d+ on .*\) is carrying this plan out: 0 of 1 done\. Nothing was sent\.\n$/,
    );
    expect(changesIn(seen)).toEqual([]);
    first.kill('SIGKILL');
    await once(first, 'close');
    const third = apply('--confirm', '1');
    await vi.waitFor(() => expect(waiting).toHaveLength(2), { timeout: 20_000 });
    waiting[1]?.();
    expect(await third).toMatchObject({ code: 0, stdout: expect.stringContaining('The step is done.') });
    expect(changesIn(seen)).toHaveLength(1);
  });

  it('begins at a step, and does again what was done', async () => {
    const { url } = await startOtherApi(() => undefined);
    await prepare(url, [rename(1, 'web-one', 'web-1'), create(2, 'archive'), create(3, 'attic')]);
    expect((await apply('--from', '3', '--confirm', '1')).stdout).toBe(
      '3  New volume attic: done\nThe step is done.\n',
    );
    expect(await labelled(url, 'archive')).toHaveLength(0);
    expect((await apply('--from', '4')).stderr).toContain('The plan has no step 4; nothing was sent.');
  });

  it('waits for the jobs of a step where the next one needs their end', async () => {
    const params = { serverId: server };
    const steps: PlanFileStep[] = [
      { id: 1, record: { resource: 'servers', action: 'shutdown', params, label: 'web-1' } },
      {
        id: 2,
        record: { resource: 'servers', action: 'resize', params, label: 'web-1', body: { type: 'g6-standard-4' } },
      },
    ];
    const { url } = await startOtherApi(() => undefined);
    await prepare(url, steps);
    const { stdout } = await apply('--confirm', '2');
    expect(stdout).toBe('1  Shut down web-1: done\n2  Resize web-1: done\nAll 2 steps are done.\n');
  });

  it('refuses a row that was changed since, one that is gone, and what a guard forbids, before anything is sent', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    const guards = '[[profiles.work.guards]]\nfor = "domains"\nactions = ["delete"]\ndeny = true\nreason = "never"\n';
    const gone = {
      ...rename(4, 'web-b', 'a'),
      record: { ...rename(4, 'web-b', 'a').record, params: { serverId: '1' } },
    };
    const domains = (await read(url, 'domains')).data as Row[];
    const remove: PlanFileStep = {
      id: 5,
      record: {
        resource: 'domains',
        action: 'delete',
        params: { domainId: String(domains[0]?.id) },
        label: String(domains[0]?.domain),
      },
    };
    const token: PlanFileStep = {
      id: 6,
      record: { resource: 'object-keys', action: 'create', params: {}, label: 'key', body: { label: 'key' } },
    };
    await prepare(url, [create(1, 'archive'), rename(2, 'web-x', 'web-\u001b[31m'), gone, remove, token], guards);
    const told = ['--dry-run', '--confirm=5'].map(async (option) => {
      const { code, stdout } = await apply(option);
      expect(code).toBe(1);
      expect(stdout).toContain(
        '2  Edit web-: refused. It was changed since this was planned: label was web- and is now web-1;',
      );
      expect(stdout).toContain('4  Edit a: refused. a is gone, so nothing was sent to it.');
      expect(stdout).toMatch(/5 {2}Delete \S+: refused\. .*never/);
      expect(stdout).toContain('6  New object storage key key: refused. Its answer holds a secret that is shown once');
      expect(stdout).toContain('4 of 5 steps would be refused; nothing was sent.');
      expect(stdout.includes('1  New volume archive: fine\n')).toBe(option === '--dry-run');
    });
    await Promise.all(told);
    expect(changesIn(seen)).toEqual([]);
  });

  it('counts all steps where a guard limits how many go at once', async () => {
    const rows = (await read(demo.url, 'volumes')).data as Row[];
    const removals = rows
      .slice(0, 3)
      .map(
        ({ id, label }, nth): PlanFileStep => ({
          id: nth + 1,
          record: { resource: 'volumes', action: 'delete', params: { volumeId: String(id) }, label: String(label) },
        }),
      );
    await prepare(demo.url, removals, '[[profiles.work.guards]]\nfor = "volumes"\nactions = ["delete"]\nat_most = 2\n');
    const { code, stdout } = await apply('--confirm', '3');
    expect(code).toBe(1);
    expect(stdout).toContain('These are 3 volumes, and a guard allows 2 at once');
  });

  it('sends nothing to another host or account, nor with a read-only profile', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    const steps = [create(1, 'archive')];
    await prepare(url, steps, '', { host: 'api.example.com' });
    expect(await apply('--confirm', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'host: the plan is for "api.example.com", and the profile work is for "127.0.0.1:',
      ),
    });
    expect(seen).toEqual([]);
    await prepare(url, steps, '', { euuid: 'another' });
    expect(await apply('--confirm', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('euuid: the plan is for the account "another", and this is '),
    });
    // Where nobody tells the account, a plan of another profile may be for another one.
    await prepare(url, steps, '', { profile: 'home' });
    expect(await apply('--confirm', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('profile: the plan is of the profile home, and this is work'),
    });
    expect(await apply('--dry-run')).toMatchObject({ code: 2 });
    await prepare(url, steps, '', { profile: 'work' });
    expect(await apply('--dry-run')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('its host alone decides'),
    });
    expect(seen.filter(({ method }) => method !== 'GET')).toEqual([]);
    await prepare(url, steps, 'read_only = true\n');
    expect(await apply('--confirm', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Read-only: the profile work'),
    });
    expect(await apply('--dry-run')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1  New volume archive: fine'),
    });
    expect(changesIn(seen)).toEqual([]);
  });

  it('names no profile where the environment names the account', async () => {
    await prepare(demo.url, [create(1, 'archive')], '', { host: 'api.example.com' });
    await rm(join(home, '.config'), { recursive: true });
    const own = environment(home, { SKYDECK_TOKEN: demo.tokens.full, SKYDECK_BASE_URL: demo.url });
    const { host } = new URL(demo.url);
    expect(await skydeck(['plan', 'apply', file(), '--confirm', '1'], own)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `host: the plan is for "api.example.com", and this account is on "${host}"; nothing was sent.`,
      ),
    });
    expect(await skydeck(['plan', 'apply', file(), '--confirm', '1', '--read-only'], own)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        'Read-only: with --read-only nothing is carried out; --dry-run says what would be refused, and the command without it carries the plan out.',
      ),
    });
  });

  it('needs the number of steps where nobody can be asked', async () => {
    await prepare(demo.url, [create(1, 'archive')]);
    expect(await apply()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--confirm 1 carries out the step. Nothing was sent.'),
    });
    expect(await apply('--confirm', '2')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('the plan has 1 step to carry out'),
    });
    expect(await labelled(demo.url, 'archive')).toEqual([]);
  });

  it('exits with 3 where the API is away, and 2 where the progress is damaged', async () => {
    const { url } = await startOtherApi(({ method, path }) =>
      method === 'GET' && path === '/account' ? undefined : refusal(503, 'Maintenance.'),
    );
    await prepare(url, [rename(1, 'web-one', 'web-1')]);
    expect(await apply('--dry-run')).toMatchObject({ code: 3 });
    await prepare('http://127.0.0.1:9', [create(1, 'archive')]);
    expect(await apply('--confirm', '1')).toMatchObject({ code: 3, stdout: '' });
    await prepare(demo.url, [create(1, 'kept')], '', { madeAt: '2020-01-01T00:00:00.000Z' });
    expect((await apply('--confirm', '1')).code).toBe(0);
    await writeFile(join(state(), 'skydeck.db'), 'no database '.repeat(100));
    for (const how of [['--confirm', '1'], ['--confirm', '1'], ['--dry-run']])
      expect(await apply(...how)).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(
          /It is not known what was done of this plan, because what was kept was set aside on .*: look at its rows, then begin with --from 1, or a later step\. Nothing was sent\.\n$/,
        ),
      });
    expect(await labelled(demo.url, 'kept')).toHaveLength(1);
    // A plan that was made since has nothing that could be lost.
    await prepare(demo.url, [create(1, 'since')], '', { madeAt: '2999-01-01T00:00:00.000Z' });
    expect((await apply('--confirm', '1')).code).toBe(0);
  });
});

describe('progress belongs to the step and to the account', () => {
  const refusing = () =>
    startOtherApi(({ method, path, text }) => {
      if (!path.startsWith('/volumes')) return undefined;
      return method === 'PUT' ? refusal(400, 'No.') : text.replaceAll('"kept"', '');
    });
  const made = (nth: number) => ({ madeAt: `2026-11-2${nth}T18:04:00.000Z` });

  it('so steps can be edited, dropped and added between runs, and none is done twice', async () => {
    const { url, seen } = await refusing();
    await prepare(url, [create(1, 'archive'), create(2, 'attic'), tagOf(3, 1), rename(4, 'web-one', 'web-1')]);
    expect((await apply('--confirm', '4')).stdout).toContain(
      '2 of 4 steps done. The same command goes on with step 3.',
    );
    const before = changesIn(seen).length;
    // The refused step goes, one that was done is edited, and another comes first.
    await prepare(url, [create(9, 'first'), create(1, 'archive'), rename(4, 'web-one', 'web-1'), create(2, 'loft')]);
    const second = await apply('--confirm', '2');
    expect(second).toMatchObject({ code: 0 });
    expect(second.stdout).toBe(
      '1  New volume archive: done before\n' +
        '2  New volume loft: done before. It was edited since, and is not sent again; --from 2 sends it as it is now.\n' +
        '9  New volume first: done\n4  Edit web-1: done\nAll 4 steps are done.\n',
    );
    expect(changesIn(seen).slice(before)).toHaveLength(2);
    for (const [label, count] of [
      ['archive', 1],
      ['attic', 1],
      ['loft', 0],
      ['first', 1],
    ] as const)
      expect(await labelled(url, label)).toHaveLength(count);
    expect((await apply('--from', '2', '--confirm', '1')).code).toBe(0);
    expect(await labelled(url, 'loft')).toHaveLength(1);
  });

  it('so a new plan is a new plan, though its steps read the same', async () => {
    const { url } = await startOtherApi(() => undefined);
    await prepare(url, [create(1, 'daily')], '', made(1));
    expect((await apply('--confirm', '1')).stdout).toContain('1  New volume daily: done\n');
    expect((await apply('--confirm', '1')).stdout).toContain('done before');
    await prepare(url, [create(1, 'nightly')], '', made(2));
    expect((await apply('--confirm', '1')).stdout).toContain('1  New volume nightly: done\n');
  });

  it('so the same steps on another account of one host were not done there', async () => {
    const { url } = await startOtherApi(() => undefined);
    const { euuid } = await read(url, 'account');
    let own = String(euuid);
    const { url: both, seen } = await startOtherApi(({ method, path }) => {
      return method === 'GET' && path === '/account' ? JSON.stringify({ email: 'a@b.c', euuid: own }) : undefined;
    });
    await prepare(both, [create(1, 'twice')]);
    expect((await apply('--confirm', '1')).stdout).toContain('1  New volume twice: done\n');
    own = 'ANOTHER';
    expect((await apply('--dry-run')).stdout).not.toContain('done before');
    own = String(euuid);
    expect((await apply('--dry-run')).stdout).toContain('done before');
    expect(changesIn(seen)).toHaveLength(1);
  });

  it('and of an account that it names nothing is sent where the API does not tell which this is', async () => {
    const { url, seen } = await startOtherApi(
      () => undefined,
      ({ method, path }) => (method === 'GET' && path === '/account' ? refusal(403, 'Not yours.') : undefined),
    );
    await prepare(url, [create(1, 'archive')], '', { euuid: 'A-1', profile: 'work' });
    const { code, stderr } = await apply('--confirm', '1');
    expect(stderr).toContain('euuid: the plan is for the account "A-1", and it is not known which this is (');
    expect(code).toBe(3);
    expect(changesIn(seen)).toEqual([]);
  });

  it('so what an earlier version has kept of a plan counts, and its file goes', async () => {
    const steps = [create(1, 'archive'), create(2, 'attic')];
    await prepare(demo.url, steps, '', { madeAt: '2020-01-01T00:00:00.000Z' });
    const host = new URL(demo.url).host;
    const digest = createHash('sha256')
      .update(JSON.stringify([host, undefined, steps]))
      .digest('hex');
    const former = join(state(), 'plans', `${digest.slice(0, 32)}.json`);
    await mkdir(join(state(), 'plans'), { recursive: true, mode: 0o700 });
    await chmod(state(), 0o700);
    const done = { state: 'done', at: 1, made: { volumeId: '7' } };
    await writeFile(former, JSON.stringify({ version: 1, results: [[1, done]] }), { mode: 0o600 });
    const { stdout } = await apply('--confirm', '1');
    expect(stdout).toBe('1  New volume archive: done before\n2  New volume attic: done\nAll 2 steps are done.\n');
    expect(existsSync(former)).toBe(false);
    await writeFile(former, '{', { mode: 0o600 });
    expect(await apply('--confirm', '1')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${former} is damaged, so it is not known what was done of this plan`),
    });
  });

  it('so one that was edited while its answer was lost is not sent again unasked', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    let loses = true;
    let refuses = false;
    const lossy = createServer(
      answering(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        if (request.method === 'POST' && loses) return void response.destroy();
        if (request.method === 'POST' && refuses)
          return void response
            .writeHead(400, { 'content-type': 'application/json' })
            .end('{"errors":[{"reason":"No."}]}');
        const body = chunks.length > 0 ? Buffer.concat(chunks).toString() : undefined;
        const headers = { authorization: request.headers.authorization ?? '', 'content-type': 'application/json' };
        const answer = await fetch(url + request.url, { method: request.method, headers, body });
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
      }),
    );
    await new Promise<void>((listening) => lossy.listen(0, '127.0.0.1', listening));
    onTestFinished(() => void lossy.close());
    const between = `http://127.0.0.1:${(lossy.address() as AddressInfo).port}`;
    await prepare(between, [create(1, 'archive')]);
    expect((await apply('--confirm', '1')).code).toBe(1);
    loses = false;
    await prepare(between, [create(1, 'attic')]);
    const { code, stdout } = await apply('--confirm', '1');
    expect(code).toBe(1);
    expect(stdout).toContain(
      '1  New volume attic: unknown. It was edited since it was sent, and it is not known whether it was done',
    );
    expect(stdout).toContain('--from 1 sends it again');
    refuses = true;
    const again = await apply('--from', '1', '--confirm', '1');
    expect(again.stdout).toContain('1  New volume attic: unknown. No (400). It was sent before as well');
    expect(again.stdout).toContain(
      'Step 1 was not done now, as is said above: mend that, and --from 1 tries it once more.\n',
    );
    expect(again.stdout).not.toContain('sends it again');
    refuses = false;
    expect((await apply('--confirm', '1')).stdout).toContain('--from 1 sends it again');
    expect(changesIn(seen)).toEqual([]);
    expect((await apply('--from', '1', '--confirm', '1')).code).toBe(0);
    expect(await labelled(url, 'attic')).toHaveLength(1);
  });
});

/** A demo behind a proxy that tells of each change before it is passed on, and after; the answer waits for that. */
async function startTellingApi(
  tell: (moment: 'before' | 'after', method: string, path: string, status: number) => Promise<boolean> | boolean,
  refuses = (_: string) => false,
) {
  const behind = await startQuietDemo({ servers: 3 });
  const answerTo = answering(async (request, response) => {
    const { method = 'GET', url = '', headers } = request;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    if (refuses(url)) return void response.writeHead(403, { 'content-type': 'application/json' }).end('{"errors":[]}');
    if (method !== 'GET' && !(await tell('before', method, url, 0))) return;
    const sent = { authorization: headers.authorization ?? '', 'content-type': 'application/json' };
    const answer = await fetch(behind.url + url, { method, headers: sent, body: body.length > 0 ? body : undefined });
    const text = await answer.text();
    if (method !== 'GET' && !(await tell('after', method, url, answer.status))) return;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  const proxy = createServer(answerTo);
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await behind.close();
  });
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
}

it('says in a dry run what the scopes of the token do not allow', async () => {
  await prepare(demo.url, [rename(1, 'web-one', 'web-1')]);
  const variables = environment(home, { WORK: demo.tokens.readOnly });
  const ended = await skydeck(['plan', 'apply', file(), '--dry-run'], variables);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toBe(
    '1  Edit web-1: refused. The token has no permission for this; it needs the scope servers:read_write.\n1 of 1 step would be refused; nothing was sent.\n',
  );
});

const shutdownPath = `POST /server/instances/${server}/shutdown`;

describe('a plan that is interrupted', () => {
  it('loses and doubles no step, whenever the program is killed', async () => {
    let moments = 0;
    let child: ReturnType<typeof start> | undefined;
    // Each run is killed at the first moment that no earlier one has come to.
    const reached = new Set<string>();
    const url = await startTellingApi((moment, method) => {
      const name = `${moment} ${method} ${moments}`;
      if (!reached.has(name)) {
        reached.add(name);
        child?.kill('SIGKILL');
        return false;
      }
      if (moment === 'after') moments++;
      return true;
    });
    const steps = [create(1, 'archive'), tagOf(2, 1), rename(3, 'web-one', 'web-1'), create(4, 'attic')];
    await prepare(url, steps);
    const ends: (number | null)[] = [];
    for (let run = 0; run < 12 && ends.at(-1) !== 0; run++) {
      moments = 0;
      const left = Number(/has (\d) steps? to/.exec((await apply('--confirm', '99')).stderr)?.[1]);
      child = start(['plan', 'apply', file(), '--confirm', String(left)], variables());
      ends.push(await new Promise((resolve) => child?.on('close', resolve)));
    }
    expect(ends.filter((code) => code === null).length).toBeGreaterThanOrEqual(4);
    expect(ends.at(-1)).toBe(0);
    expect((await labelled(url, 'archive')).map(({ tags }) => tags)).toEqual([['kept']]);
    expect(await labelled(url, 'attic')).toHaveLength(1);
    expect((await read(url, `server/instances/${server}`)).label).toBe('web-one');
  });

  it.each([
    ['tell', false],
    ['do not tell', true],
  ])(
    'carries each step out once, or tells that it is unknown, where events %s it, whenever it is killed',
    async (_, isUntold) => {
      const deeds: string[] = [];
      let child: ReturnType<typeof start> | undefined;
      const reached = new Set<string>();
      const url = await startTellingApi(
        (moment, method, path, status) => {
          if (moment === 'after' && status === 200) deeds.push(`${method} ${path.slice(version.length)}`);
          if (reached.has(moment + path)) return true;
          reached.add(moment + path);
          child?.kill('SIGKILL');
          return false;
        },
        (path) => isUntold && path.includes('/events'),
      );
      const params = { serverId: server };
      const shutdown = { id: 1, record: { resource: 'servers', action: 'shutdown', params, label: 'web-1' } };
      await prepare(url, [shutdown, create(2, 'archive')]);
      const unknown: string[] = [];
      let from: readonly string[] = [];
      let kills = 0;
      for (let run = 0, isOver = false; run < 8 && !isOver; run++) {
        const left = Number(/has (\d) steps? to/.exec((await apply('--confirm', '99', ...from)).stderr)?.[1]);
        child = start(['plan', 'apply', file(), '--confirm', String(left), ...from], variables());
        const { code, stdout } = await endOf(child);
        kills += code === null ? 1 : 0;
        const [isUnknown, of] = [stdout.includes(': unknown'), from.length > 0 ? 'POST /volumes' : shutdownPath];
        isOver = code === 0 || (isUnknown && from.length > 0);
        if (isUnknown) [from] = [['--from', '2'], unknown.push(of)];
      }
      expect(kills).toBeGreaterThanOrEqual(3);
      for (const path of [shutdownPath, 'POST /volumes'])
        expect([path, deeds.filter((one) => one === path).length, unknown.includes(path)]).toSatisfy(
          ([, count, isTold]) => count === 1 || (count === 0 && isTold),
        );
      expect(unknown.length > 0).toBe(isUntold);
    },
    180_000,
  );

  it('stops between two steps at ctrl-c, and says how to go on', async () => {
    let child: ReturnType<typeof start> | undefined;
    let [stdout, stderr] = ['', ''];
    const url = await startTellingApi(async (moment) => {
      if (moment === 'before') return true;
      child?.kill('SIGINT');
      await vi.waitFor(() => expect(stderr).toContain('Stopping after the step that is under way'));
      return true;
    });
    await prepare(url, [create(1, 'archive'), create(2, 'attic')]);
    child = start(['plan', 'apply', file(), '--confirm', '2'], variables());
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
    });
    child.stderr?.setEncoding('utf8').on('data', (chunk) => {
      stderr += chunk;
    });
    expect(await new Promise((resolve) => child?.on('close', resolve))).toBe(130);
    expect(stdout).toBe('1  New volume archive: done\n1 of 2 steps done. The same command goes on with step 2.\n');
    expect(await labelled(url, 'attic')).toEqual([]);
  });
});

describe('the options of plan apply', () => {
  it.each([
    [['--dry-run', '--confirm', '1'], '--dry-run carries nothing out, so leave out --confirm.'],
    [['--format', 'json'], 'skydeck plan apply takes no --format, so leave it out.'],
    [['--confirm', '0'], '--confirm must be the number of steps to carry out, from 1 to 1000; it is "0".'],
    [['--from', 'x'], '--from must be the id of a step, from 1 to 1000000; it is "x".'],
    [['--bell'], '--bell works only with skydeck watch.'],
  ])('%j', (words, says) => {
    expect(() => parseArguments(['plan', 'apply', 'a', ...words])).toThrow(says);
  });

  it.each(['--dry-run', '--confirm=1', '--from=1'])('%s works with it alone', (option) => {
    expect(() => parseArguments(['snapshot', option])).toThrow('works only with skydeck plan apply.');
    expect(() => parseArguments(['plan', 'show', 'a', option])).toThrow('skydeck plan show takes no --');
  });
});

describe('a secret that no file keeps', () => {
  const pass = 'correct horse battery';
  const deploy: PlanFileStep = {
    id: 1,
    record: {
      resource: 'servers',
      action: 'create',
      params: {},
      label: 'vault',
      body: {
        label: 'vault',
        region: 'us-east',
        type: 'g6-nanode-1',
        image: 'server/debian12',
        root_pass: '[redacted]',
      },
    },
  };
  const credential: PlanFileStep = {
    id: 2,
    record: {
      resource: 'managed-credentials',
      action: 'create',
      params: {},
      label: 'db',
      body: { label: 'db', username: 'root', password: '[redacted]' },
    },
  };
  const sentTo = (seen: readonly Exchanged[]) =>
    seen.filter(({ method }) => method === 'POST').map(({ sent }) => JSON.parse(sent));

  /** All that is kept below the home directory, as one text. */
  async function kept(): Promise<string> {
    const entries = await readdir(home, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name !== 'pass');
    const texts = files.map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
    return (await Promise.all(texts)).join('\n');
  }

  it('comes from a variable, a file or a descriptor, and is left nowhere', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    const attached: PlanFileStep = {
      id: 5,
      record: {
        resource: 'volumes',
        action: 'create',
        params: {},
        label: 'vault-data',
        body: { label: 'vault-data', size: 20, server_id: { $step: 1 } },
      },
    };
    const other = { ...credential.record, label: 'db-2', body: { ...credential.record.body, label: 'db-2' } };
    await prepare(url, [deploy, create(3, 'archive'), credential, { ...credential, id: 4, record: other }, attached]);
    const seenBy = join(home, 'environment');
    await writeFile(
      join(home, '.config', 'skydeck', 'config.toml'),
      `[profiles.work]\nbase_url = "${url}"\ntoken_command = ["sh", "-c", "env > ${seenBy}; echo ${demo.tokens.full}"]\n`,
    );
    await writeFile(join(home, 'pass'), 'another one\n', { mode: 0o600 });
    const env = environment(home, { ROOT: pass });
    const descriptors = [1, 2].map(() => openSync(join(home, 'pass'), 'r'));
    onTestFinished(() => descriptors.forEach(closeSync));
    const secrets = ['--secret=1.root_pass=env:ROOT', `--secret=2.password=file:${join(home, 'pass')}`];
    const byDescriptor = (nth: number) => `--secret=4.password=fd:${descriptors[nth]}`;
    const log = join(home, 'log');
    const common = ['plan', 'apply', file(), ...secrets, '--log-file', log];
    expect(await skydeck([...common, byDescriptor(0), '--dry-run'], { ...env })).toMatchObject({ code: 0 });
    const ended = await skydeck([...common, byDescriptor(1), '--confirm', '5', '--jsonl'], { ...env });
    expect(ended).toMatchObject({ code: 0 });
    expect(sentTo(seen)).toMatchObject([
      { root_pass: pass },
      { label: 'archive' },
      { password: 'another one' },
      { password: 'another one' },
      { server_id: expect.any(Number) },
    ]);
    expect(await readFile(seenBy, 'utf8')).not.toContain(pass);
    const left = (await kept()) + ended.stdout + ended.stderr;
    expect(left).toContain('vault');
    for (const secret of [pass, 'another one']) expect(left).not.toContain(secret);
  });

  it('is asked for before anything is sent, with its field and step and how to give it', async () => {
    const { url, seen } = await startOtherApi(() => undefined);
    await prepare(url, [deploy, create(3, 'archive')]);
    for (const option of ['--dry-run', '--confirm=2']) {
      const { code, stdout } = await apply(option);
      expect(code).toBe(1);
      expect(stdout).toContain(
        '1  New server vault: refused. Its Root password is a secret, which no file keeps: give it by --secret 1.root_pass=env:NAME (or file:FILE, fd:N), or at a terminal, where it is asked for.\n',
      );
      expect(stdout).toContain('1 of 2 steps would be refused; nothing was sent.');
    }
    const short = await skydeck(['plan', 'apply', file(), '--secret', '1.root_pass=env:ROOT', '--confirm', '2'], {
      ...variables(),
      ROOT: 'short',
    });
    expect(short).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/1 {2}New server vault: refused\. Root pass/),
    });
    expect(short.stdout).not.toContain('short');
    expect(changesIn(seen)).toEqual([]);
  });

  it.each([
    ['1.root_pass=hunter22', /^--secret names where a secret is, never the secret itself.*: 1\.root_pass=env:NAME/],
    ['root_pass=env:ROOT', /^--secret must be STEP\.FIELD=SOURCE/],
    ['1.root_pass=env:NONE', /^--secret 1\.root_pass: the variable NONE is not set/],
    ['1.root_pass=env:EMPTY', /^--secret 1\.root_pass: the variable EMPTY is empty/],
    ['1.root_pass=file:/nowhere/pass', /^--secret 1\.root_pass: the file \/nowhere\/pass cannot be read: /],
    ['1.root_pass=fd:99', /^--secret 1\.root_pass: the descriptor 99 cannot be read: /],
    ['1.label=env:ROOT', /^--secret 1\.label: step 1 has no such secret to be given; it has root_pass\./],
    ['9.root_pass=env:ROOT', /^--secret 9\.root_pass: the plan has no step 9/],
  ])('given as %s is a mistake', async (given, says) => {
    await prepare(demo.url, [deploy]);
    const ended = await skydeck(['plan', 'apply', file(), '--secret', given, '--confirm', '1'], {
      ...variables(),
      ROOT: pass,
      EMPTY: '',
    });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(says) });
    expect(ended.stderr).not.toContain('hunter22');
  });
});
