import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { users } from '../../src/demo/engine/access.ts';
import { type Exchanged, refusal, startOtherApi } from '../journeys/otherApi.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { skydeckHere as skydeck } from './here.ts';
import { configureWork, environment } from './program.ts';

let home: string;
beforeEach(() => {
  home = temporaryFolder('exits');
});

const of = (label: string, serverId: string) => ({
  resource: 'servers',
  action: 'edit',
  params: { serverId },
  label,
  body: { label: `${label}-2` },
  before: { label },
});
const steps = [of('web-1', '48200101'), of('web-2', '48200104')].map((record, index) => ({ id: index + 1, record }));

/** Runs `plan apply` of these steps on an API that differs from the demo in some answers; tells what was sent. */
async function apply(
  words: readonly string[],
  alter: Parameters<typeof startOtherApi>[0],
  of = steps,
  broken?: Broken,
) {
  const { url, seen } = await startOtherApi(alter);
  await configureWork(home, url);
  const { host } = new URL(url);
  const plan = { version: 1, madeAt: '2026-11-23T18:04:00.000Z', program: '0.1.0', host, steps: of };
  await writeFile(join(home, 'plan.json'), JSON.stringify(plan));
  const ended = await skydeck(
    ['plan', 'apply', join(home, 'plan.json'), ...words],
    environment(home, { WORK: users.full.token }),
    broken,
  );
  return { ...ended, changes: seen.filter(({ method }) => method !== 'GET').map(({ path }) => path) };
}

type Broken = Parameters<typeof skydeck>[2];

const isRowOf = (id: string, { method, path }: Exchanged) => method === 'GET' && path.endsWith(`/instances/${id}`);

it.each([
  [500, 'It broke.', 3],
  [429, 'Too many requests.', 3],
  [401, 'Invalid Token.', 3],
  [403, 'Unauthorized.', 1],
])('a dry run exits by whether the API is away: a row that is answered with %i', async (status, reason, code) => {
  const [step] = steps;
  const ended = await apply(
    ['--dry-run'],
    (exchanged) => (isRowOf('48200101', exchanged) ? refusal(status, reason) : undefined),
    step && [step],
  );
  expect(ended).toMatchObject({ code, changes: [] });
  expect(ended.stdout).toContain(`(${status}: ${reason.slice(0, -1)})`);
});

it('a step that is refused on this machine is no API that is away', async () => {
  const ended = await apply(['--dry-run'], () => undefined, [{ id: 1, record: of('web-1', '../../account') }]);
  expect(ended).toMatchObject({ code: 1, changes: [] });
  expect(ended.stdout).toContain('was not sent: what is on the way could take');
});

it('a plan exits with 3 where the API goes away between two steps, and says which is next', async () => {
  let isAway = false;
  const ended = await apply(['--confirm', '2'], ({ method }) => {
    if (isAway) return refusal(503, 'Maintenance.');
    isAway = method !== 'GET';
    return undefined;
  });
  expect(ended).toMatchObject({ code: 3, changes: ['/server/instances/48200101'] });
  expect(ended.stdout).toContain('1  Edit web-1: done\n');
  expect(ended.stdout).toContain('1 of 2 steps done. The same command goes on with step 2.');
});

it('a dry run has a client that cannot change anything, and so begins no log of changes', async () => {
  expect(await apply(['--dry-run'], () => undefined)).toMatchObject({ code: 0, changes: [] });
  const files = await readdir(home, { recursive: true });
  expect(files.filter((name) => name.includes('audit'))).toEqual([]);
  expect((await apply(['--confirm', '2'], () => undefined)).code).toBe(0);
  expect((await readdir(home, { recursive: true })).filter((name) => name.includes('audit'))).not.toEqual([]);
});

describe('a run whose output is not taken any more', () => {
  const four = ['48200101', '48200104', '48200101', '48200104'].map((serverId, index) => ({
    id: index + 1,
    record: {
      ...{ resource: 'servers', action: 'tag', params: { serverId }, label: index % 2 ? 'web-2' : 'web-1' },
      body: { tags: [`t-${index}`] },
    },
  })) as unknown as typeof steps;
  const run = (broken: Broken, words: readonly string[] = []) =>
    apply(['--confirm', '4', ...words], () => undefined, four, broken);

  it('by a reader that is gone notes the step under way, begins no other, and is no success', async () => {
    const ended = await run({ code: 'EPIPE', errno: -32, after: 1 });
    expect(ended.code).toBe(1);
    expect(ended.stdout).toBe('1  Add tags to web-1: done\n');
    const done = ended.changes.length;
    expect([2, 3]).toContain(done);
    expect(ended.stderr).toContain(`${done} of 4 steps done. The same command goes on with step ${done + 1}.`);
  });

  it('after its last step is done is a success', async () => {
    const ended = await run({ code: 'EPIPE', errno: -32, after: 4 });
    expect(ended).toMatchObject({ code: 0, changes: expect.objectContaining({ length: 4 }) });
  });

  it('by a full disk ends with 74 once the step under way was answered', async () => {
    const ended = await run({ code: 'ENOSPC', errno: -28, after: 0 }, ['--jsonl']);
    expect(ended).toMatchObject({ code: 74, stdout: '' });
    const done = ended.changes.length;
    expect([1, 2]).toContain(done);
    expect(ended.stderr).toContain(`${done} of 4 steps done. The same command goes on with step ${done + 1}.`);
    expect(ended.stderr).toContain('Standard output cannot be written: no space left on device.');
  });

  it('with a dry run is what it was', async () => {
    const dry = (code: 'EPIPE' | 'ENOSPC', errno: number) =>
      apply(['--dry-run'], () => undefined, four, { code, errno, after: 1 });
    expect((await dry('EPIPE', -32)).code).toBe(0);
    expect((await dry('ENOSPC', -28)).code).toBe(74);
  });
});
