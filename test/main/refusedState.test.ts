import { chmod, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { stateFinding } from '../../src/program/doctor/onMachine.ts';
import { openState } from '../../src/program/state/state.ts';
import { version } from '../api/server.ts';
import { temporaryFolder } from '../temporaryFolder.ts';
import { serve } from './apiServer.ts';
import { skydeckHere } from './here.ts';
import { environment } from './program.ts';

const nothing = () => ({ rows: [] });
const routes = {
  [`${version}/account`]: () => ({ body: { euuid: 'A1' } }),
  [`${version}/volumes`]: nothing,
  [`${version}/server/instances`]: nothing,
  [`${version}/account/events`]: nothing,
};
let server: Awaited<ReturnType<typeof serve>>;
let home = '';
let state = '';
beforeAll(async () => {
  server = await serve(routes);
});
afterAll(() => server.close());
beforeEach(async () => {
  home = temporaryFolder('refused');
  state = join(home, 'state/skydeck');
  await mkdir(state, { recursive: true, mode: 0o700 });
});

/** Keeps something in the state, and a line in the audit log. */
async function keep() {
  const own = openState(state, undefined);
  own.toWrite();
  own.close();
  await writeFile(join(state, 'audit.jsonl'), '', { mode: 0o600 });
}

const refused: readonly [name: string, make: () => Promise<unknown>, says: RegExp][] = [
  [
    'a state that others can read',
    async () => {
      await keep();
      await chmod(join(state, 'skydeck.db'), 0o644);
    },
    /^The state [^ ]*skydeck\.db can be read by others \(mode 0644\), so nothing of it is used; run: chmod 600 /,
  ],
  [
    'an audit log that others can read',
    async () => {
      await keep();
      await chmod(join(state, 'audit.jsonl'), 0o644);
    },
    /^The audit log [^ ]*audit\.jsonl can be read by others \(mode 0644\); run: chmod 600 .* Changes are not sent/,
  ],
  [
    'a directory in which anybody may write',
    () => chmod(state, 0o777),
    /^The state .*, which can be changed by others \(mode 0777\), so nothing of it is used; run: chmod go-w /,
  ],
  [
    'a state that is no database',
    async () => {
      await keep();
      await writeFile(join(state, 'skydeck.db'), 'x'.repeat(5000));
    },
    /skydeck\.db cannot be opened: it is damaged\.$/,
  ],
  [
    'a file in the place of the directory',
    async () => {
      await rm(state, { recursive: true });
      await writeFile(state, '');
    },
    /^[^ ]*state\/skydeck cannot be written: a part of its path is not a directory; without its line/,
  ],
];

describe('the doctor refuses what a session refuses', () => {
  test.for(refused)('%s', async ([, make, says]) => {
    await make();
    expect(stateFinding(state)).toEqual({ fine: false, says: expect.stringMatching(says) });
  });

  test('but nothing where all is well, whether something is kept or not, and leaves nothing behind', async () => {
    expect(stateFinding(state)).toEqual({ fine: true, says: state });
    expect(await readdir(state)).toEqual([]);
    await rm(state, { recursive: true });
    expect(stateFinding(state)).toEqual({ fine: true, says: state });
    expect((await stat(state)).mode & 0o777).toBe(0o700);
    await keep();
    expect(stateFinding(state)).toEqual({ fine: true, says: state });
    expect((await readdir(state)).sort()).toEqual(['audit.jsonl', 'skydeck.db']);
  });
});

describe('nothing crashes where the state cannot be used', () => {
  const run = (...args: string[]) =>
    skydeckHere(
      args,
      environment(home, {
        XDG_STATE_HOME: join(home, 'state'),
        SKYDECK_BASE_URL: server.baseUrl,
        SKYDECK_TOKEN: 'token-of-the-test',
      }),
    );

  test.for(refused)('a list is printed: %s', async ([, make]) => {
    await make();
    expect(await run('snapshot', 'volumes', '--format', 'json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"volumes"'),
    });
  });

  test.for(refused)('the journal has the rest, and says what it lacks: %s', async ([name, make]) => {
    await make();
    const { code, stderr, stdout } = await run('snapshot', 'journal');
    expect(stderr).not.toContain('crashed');
    expect(stdout).toContain('Changed');
    if (name !== 'a state that others can read') return;
    expect(code).toBe(3);
    expect(stderr).toMatch(/can be read by others \(mode 0644\), so nothing of it is used; run: chmod 600/);
  });

  test.for(refused)('the cache is cleared, or it says why not: %s', async ([, make]) => {
    await make();
    const { code, stderr } = await run('cache', 'clear');
    expect([0, 2]).toContain(code);
    expect(stderr).not.toContain('crashed');
  });
});
