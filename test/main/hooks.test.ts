import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { noConfiguration } from '../../src/config/configuration.ts';
import type { HookConfig } from '../../src/config/schema.ts';
import { environmentFor } from '../../src/program/token.ts';
import { createHooks } from '../../src/program/transitions/hooks.ts';
import type { Problem, Severity } from '../../src/resources/problems/rule.ts';
import { emptyView, type Params, type Row, viewWith } from '../../src/resources/resource.ts';
import type { Event, EventsState } from '../../src/store/events.ts';
import type { ProblemsState } from '../../src/store/problems/problems.ts';
import { createTransitions } from '../../src/store/problems/transitions.ts';
import { jsonLines } from '../jsonLines.ts';
import { eventOf, settings } from '../store/openStores.ts';
import { temporaryFolder } from '../temporaryFolder.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder('hooks');
});

const problemOf = (nth: number, severity: Severity = 'critical'): Problem => ({
  id: `server-down ${nth}`,
  severity,
  rule: 'server-down',
  resource: 'servers',
  params: { serverId: String(nth) },
  label: `web-${nth}`,
  says: `web-${nth} is offline`,
  since: 1_700_000_000_000,
});

/** A script that is a hook; it writes into the file `out` of the folder. */
async function script(body: string): Promise<string> {
  const file = join(folder, 'hook');
  await writeFile(file, `#!/bin/sh\n${body}\n`);
  await chmod(file, 0o755);
  return file;
}

const append = 'read -r line; echo "$line" >>"$(dirname "$0")/out"';

/** An account with these hooks, as it was examined for the first time. */
function open(hooks: readonly HookConfig[], now = () => 1_700_000_100_000) {
  const tell = vi.fn<(says: string) => void>();
  const watch = vi.fn(() => () => {});
  const configuration = createStore(() => ({ ...noConfiguration, hooks: [...hooks] }));
  const problems = createStore<ProblemsState>(() => ({ problems: [], acknowledged: [], news: [] }));
  const events = createStore<EventsState>(() => ({ events: [] }));
  const env = vi.fn(() =>
    environmentFor(
      { ...process.env, SKYDECK_TOKEN: 'T', MINE: 'of secret-7', OTHER: 'kept', THEIRS: 'x' },
      { tokens: ['secret-7'], variables: ['THEIRS'] },
    ),
  );
  const all = createHooks({ env, now, tell });
  onTestFinished(all.stop);
  const transitions = createTransitions({ problems, events, now });
  onTestFinished(transitions.stop);
  /** The servers that are known, those that are gone, and those that are known once they are read. */
  const known = new Map<string, Row>();
  const gone: Row[] = [];
  const unread = new Map<string, Row>();
  const answer = Promise.withResolvers<void>();
  const row = (_: string, id: unknown) => known.get(String(id));
  const account = {
    configuration,
    problems: { ...problems, watch } as never,
    transitions,
    settings,
    now,
    view: viewWith(emptyView, { row, deleted: () => gone }),
    cache: {
      readRow: async (_: unknown, { serverId = '' }: Params) => {
        const read = unread.get(serverId);
        if (unread.get('late') === read) await answer.promise;
        if (read) known.set(serverId, read);
      },
    } as never,
  };
  const leave = all.follow(account);
  const lines = async () => (await readFile(join(folder, 'out'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  return {
    tell,
    watch,
    leave,
    follow: () => all.follow(account),
    stop: all.stop,
    /** The programs that were begun, as a number; each is given the environment. */
    began: () => env.mock.calls.length,
    /** Answers what is asked about the server that is also unread as `late`. */
    answer: answer.resolve,
    configuration,
    problems,
    known,
    gone,
    unread,
    examine: (...found: Problem[]) => problems.setState({ examinedAt: 1, problems: found }),
    find: (...news: Problem[]) => problems.setState((state) => ({ news, problems: [...state.problems, ...news] })),
    mend: () => problems.setState({ problems: [] }),
    poll: (...rows: Event[]) => events.setState({ events: rows, polledAt: now() }),
    lines,
    written: async (count: number) => {
      await vi.waitFor(async () => expect((await lines()).length).toBeGreaterThanOrEqual(count), { timeout: 10_000 });
      return jsonLines(await readFile(join(folder, 'out'), 'utf8'));
    },
  };
}

describe('a hook', () => {
  test('is run once for each transition that it names, and told all of it', async () => {
    const hook = { on: ['critical' as const, 'recovered' as const, 'job-ended' as const], run: [await script(append)] };
    const account = open([hook]);
    account.examine(problemOf(1), problemOf(2, 'warning'));
    const job = (status: string) => eventOf(9, 'server_reboot', status, { type: 'server', id: 4 }) as Event;
    account.poll(job('started'));
    account.find(problemOf(3), problemOf(4, 'warning'));
    const [critical] = await account.written(1);
    expect(critical).toEqual({
      on: 'critical',
      at: '2023-11-14T22:15:00.000Z',
      profile: 'test',
      problem: { ...problemOf(3), since: '2023-11-14T22:13:20.000Z' },
    });
    account.mend();
    account.poll(job('finished'));
    const all = await account.written(4);
    const heard = all.map(({ on, problem, job }) => `${on} ${problem?.label ?? job?.id}`).sort();
    expect(heard).toEqual(['critical web-3', 'job-ended 9', 'recovered web-1', 'recovered web-3']);
    account.poll(job('finished'));
    account.leave();
    account.find(problemOf(8));
    expect(await account.lines()).toHaveLength(4);
    expect(account.tell).not.toHaveBeenCalled();
  });

  test('has neither the token nor what is acknowledged', async () => {
    const run = [await script(`env >"$(dirname "$0")/env"; ${append}`)];
    const account = open([{ on: ['critical', 'recovered'], run }]);
    account.examine(problemOf(1));
    account.problems.setState({ problems: [], acknowledged: [problemOf(1)] });
    account.problems.setState({ acknowledged: [problemOf(1), problemOf(2)], news: [problemOf(2)] });
    account.problems.setState({ acknowledged: [] });
    account.find(problemOf(3));
    expect((await account.written(1)).map(({ problem }) => problem.label)).toEqual(['web-3']);
    const env = await readFile(join(folder, 'env'), 'utf8');
    expect(env).toContain('OTHER=kept');
    expect(env).not.toMatch(/SKYDECK_TOKEN|MINE|THEIRS|secret-7/);
  });

  test('that fails or hangs is told once, and the others are run', async () => {
    const failing = { on: ['critical' as const], run: [await script(`echo no such page >&2; ${append}; exit 3`)] };
    const hanging = { on: ['critical' as const], run: ['/bin/sh', '-c', 'sleep 60'], timeout: 1 };
    const missing = { on: ['critical' as const], run: ['/no/such/program'] };
    const account = open([failing, hanging, missing]);
    account.examine();
    account.find(problemOf(1));
    account.find(problemOf(2));
    await account.written(2);
    await vi.waitFor(() => expect(account.tell).toHaveBeenCalledTimes(3), { timeout: 10_000 });
    expect(account.tell.mock.calls.flat().sort()).toEqual([
      'A hook fails: /bin/sh was ended because it took longer than 1 s.',
      `A hook fails: ${failing.run[0]} ended with code 3. It says: no such page`,
      expect.stringMatching(/^A hook fails: The program \/no\/such\/program was not found; .*\.$/),
    ]);
  });

  test('is run at most 30 times a minute, and the rest is counted once', async () => {
    let time = 1_700_000_100_000;
    const account = open([{ on: ['critical'], run: [await script(append)] }], () => time);
    account.examine();
    account.find(...Array.from({ length: 45 }, (_, nth) => problemOf(nth)));
    expect(await account.written(30)).toHaveLength(30);
    await vi.waitFor(() => expect(account.tell).toHaveBeenCalled(), { timeout: 5_000 });
    expect(account.tell.mock.calls).toEqual([['15 runs of hooks were left out: at most 30 begin in a minute.']]);
    time += 60_000;
    account.find(problemOf(99));
    expect(await account.written(31)).toHaveLength(31);
  });

  test('is run once more where the clock was set back', async () => {
    let time = 1_700_000_100_000;
    const account = open([{ on: ['critical'], run: [await script(append)] }], () => time);
    account.examine();
    account.find(...Array.from({ length: 30 }, (_, nth) => problemOf(nth)));
    time -= 3_600_000;
    account.find(problemOf(99));
    expect(await account.written(31)).toHaveLength(31);
  });

  test('follows the configuration, and ends with the program', async () => {
    const account = open([]);
    account.examine();
    expect(account.watch).not.toHaveBeenCalled();
    account.find(problemOf(1));
    const run = [await script(`${append}; sleep 60`)];
    account.configuration.setState({ hooks: [{ on: ['critical'], run }] });
    expect(account.watch).toHaveBeenCalledTimes(1);
    account.find(problemOf(2));
    expect((await account.written(1)).map(({ problem }) => problem.label)).toEqual(['web-2']);
    account.stop();
    account.configuration.setState({ hooks: [] });
    account.find(problemOf(3));
    expect(await account.lines()).toHaveLength(1);
    expect(account.tell).not.toHaveBeenCalled();
  });
});

describe('a hook that is about some rows', () => {
  const server = (id: number, tags: readonly string[]): Row => ({ id, label: `web-${id}`, status: 'offline', tags });
  const job = (id: number, of: number) =>
    [
      eventOf(id, 'server_reboot', 'started', { type: 'server', id: of }),
      eventOf(id, 'server_reboot', 'finished', { type: 'server', id: of }),
    ] as [Event, Event];
  const heardIn = (all: { on: string; problem?: Problem; job?: Event }[]) =>
    all.map(({ on, problem, job }) => `${on} ${problem?.label ?? job?.id}`).sort();

  test('is run for those that its filter finds, as they are then; a row that is gone is judged as it was last', async () => {
    const on = ['critical' as const, 'recovered' as const, 'job-ended' as const];
    const account = open([{ on, run: [await script(append)], for: 'servers', where: 'tag:prod' }]);
    for (const nth of [1, 2, 3]) account.known.set(String(nth), server(nth, nth === 2 ? ['dev'] : ['prod']));
    account.examine();
    account.find(problemOf(1), problemOf(2), problemOf(3));
    expect(heardIn(await account.written(2))).toEqual(['critical web-1', 'critical web-3']);
    // The first is mended, the second has become what the filter finds, and the third is gone.
    account.known.set('2', server(2, ['prod']));
    account.known.delete('3');
    account.mend();
    expect(heardIn((await account.written(5)).slice(2))).toEqual([
      'recovered web-1',
      'recovered web-2',
      'recovered web-3',
    ]);
    // The row of a job may be gone, or not be read yet, or be known to nobody.
    const jobs = [job(14, 4), job(15, 5), job(16, 6), job(17, 7)];
    account.gone.push(server(4, ['prod']));
    account.unread.set('5', server(5, ['prod'])).set('6', server(6, ['dev']));
    account.poll(...jobs.map(([begun]) => begun));
    account.poll(...jobs.map(([, ended]) => ended));
    expect(heardIn((await account.written(7)).slice(5))).toEqual(['job-ended 14', 'job-ended 15']);
    account.poll(...jobs.map(([, ended]) => ended));
    expect(await account.lines()).toHaveLength(7);
    expect(account.watch).toHaveBeenCalledTimes(1);
  });

  test('is not run once its account is left while its row was still read', async () => {
    const run = [await script(append)];
    const account = open([{ on: ['job-ended'], run, for: 'servers', where: 'tag:prod' }]);
    account.unread.set('5', server(5, ['prod'])).set('late', account.unread.get('5') as Row);
    account.known.set('6', server(6, ['prod']));
    account.examine();
    const [first, second] = [job(15, 5), job(16, 6)];
    account.poll(first[0], second[0]);
    account.poll(first[1], second[0]);
    account.leave();
    account.answer();
    await vi.waitFor(() => expect(account.known.has('5')).toBe(true));
    account.follow();
    account.poll(first[1], second[1]);
    expect(heardIn(await account.written(1))).toEqual(['job-ended 16']);
  });

  test('is not begun once the program ends while its row was still read', async () => {
    const account = open([{ on: ['job-ended'], run: [await script(append)], for: 'servers', where: 'tag:prod' }]);
    account.unread.set('5', server(5, ['prod'])).set('late', account.unread.get('5') as Row);
    account.examine();
    const [begun, ended] = job(15, 5);
    account.poll(begun);
    account.poll(ended);
    account.stop();
    account.answer();
    await vi.waitFor(() => expect(account.known.has('5')).toBe(true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(account.began()).toBe(0);
  });

  test('is not run for rows of other areas, nor in other accounts', async () => {
    const run = [await script(append)];
    const account = open([
      { on: ['critical'], run, for: 'volumes' },
      { on: ['critical'], run, profile: ['other'] },
      { on: ['job-ended'], run, for: 'Servers', profile: ['other', 'test'] },
    ]);
    account.examine();
    account.find(problemOf(1));
    const [begun, ended] = job(9, 1);
    account.poll(begun);
    account.poll(ended);
    expect(heardIn(await account.written(1))).toEqual(['job-ended 9']);
  });

  test('reads the rows that its filter is asked about also where it waits for jobs alone', () => {
    expect(open([{ on: ['job-ended'], run: ['true'], for: 'servers' }]).watch).not.toHaveBeenCalled();
    expect(open([{ on: ['job-ended'], run: ['true'], for: 'servers', where: 'web' }]).watch).toHaveBeenCalled();
  });
});
