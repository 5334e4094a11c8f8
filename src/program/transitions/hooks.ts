import { redacted } from '../../api/redact.ts';
import type { HookConfig } from '../../config/schema.ts';
import { idIn, idOf } from '../../resources/identity.ts';
import { resourceCalled, rowOfEntity } from '../../resources/index.ts';
import type { Row } from '../../resources/resource.ts';
import { cachedRow } from '../../store/changes/change.ts';
import { parseFilter } from '../../store/filter/filter.ts';
import type { Transition } from '../../store/problems/transitions.ts';
import type { Stores } from '../../store/stores.ts';
import type { Environment } from '../../terminal/capabilities.ts';
import { endingText, runProgram } from '../../terminal/childProgram.ts';
import { visibleJson } from '../../text/escapes.ts';
import { minute, msSince, second, type Timestamp, timerDelay } from '../../text/times.ts';
import { counted } from '../../text/words.ts';
import { problemRow } from '../document.ts';

/** A transition for programs. */
export const transitionDocument = (transition: Transition, profile: string, at: Timestamp) => ({
  on: transition.on,
  at: new Date(at).toISOString(),
  profile,
  ...(transition.on === 'job-ended' ? { job: redacted(transition.job) } : { problem: problemRow(transition.problem) }),
});

type Account = Pick<Stores, 'configuration' | 'problems' | 'transitions' | 'settings' | 'now' | 'view' | 'cache'>;

interface HooksOptions {
  /** The environment of the programs, without any token. */
  env: () => Environment;
  now: () => number;
  /** Told when hooks fail or are left out, as a sentence. */
  tell: (says: string) => void;
}

const defaultTimeoutSeconds = 10;

/** So much of the output is kept, for the reason of a failure. */
const maxBytes = 16_384;

/** All accounts share the limit of runs. */
export function createHooks({ env, now, tell }: HooksOptions) {
  const ending = new AbortController();
  /** The hooks whose failure was told. */
  const failed = new WeakSet<HookConfig>();
  const queue = createRunQueue(now, (count) =>
    tell(`${counted(count, 'run')} of hooks were left out: at most ${maxPerMinute} begin in a minute.`),
  );

  async function run(hook: HookConfig, input: string): Promise<void> {
    const { run: argv, timeout = defaultTimeoutSeconds } = hook;
    const limits = { signal: ending.signal, timeoutMs: timeout * 1000, maxBytes };
    const ended = await runProgram(argv, { env: env(), input, ...limits });
    if (ended.code === 0 || ended.stopped || failed.has(hook)) return;
    failed.add(hook);
    const line = ended.lines.find((line) => line.trim() !== '');
    const said = line === undefined ? '' : ` It says: ${line.trim()}`;
    tell(`A hook fails: ${endingText(argv[0] ?? '', ended)}${said}`);
  }

  return {
    /** Runs those that an account has in its configuration at the time. Returns a function that ends this. */
    follow(account: Account) {
      const { configuration, problems, transitions, settings } = account;
      const rows = createHookRows(account);
      const left = new AbortController();
      const over = AbortSignal.any([left.signal, ending.signal]);
      const own = () =>
        configuration.getState().hooks.filter(({ profile }) => profile?.includes(settings.profile) ?? true);
      function handle(transition: Transition): void {
        for (const hook of own()) {
          if (!isMeant(hook, transition)) continue;
          const input = `${visibleJson(transitionDocument(transition, settings.profile, account.now()))}\n`;
          const about = rows.isAbout(hook, transition);
          if (about === true) queue.add(() => run(hook, input));
          else if (about) void about.then((is) => is && !over.aborted && queue.add(() => run(hook, input)));
        }
      }

      let release: (() => void) | undefined;
      function watch(): void {
        // The rows that a filter is asked about are read like those of rules.
        if (own().some(({ on, where }) => where !== undefined || on.some((one) => one !== 'job-ended')))
          release ??= problems.watch();
        else stopWatching();
      }
      function stopWatching(): void {
        release?.();
        release = undefined;
      }

      watch();
      const ends = [transitions.subscribe((all) => all.forEach(handle)), configuration.subscribe(watch), stopWatching];
      return () => {
        left.abort();
        for (const end of [...ends, rows.stop]) end();
      };
    },
    /** Ends also the programs that run. */
    stop: () => {
      queue.stop();
      ending.abort();
    },
  };
}

/** Whether a hook is about a transition: of problems, those that are critical, while they do not only come and go. */
function isMeant({ on }: HookConfig, transition: Transition): boolean {
  if (transition.on === 'job-ended') return on.includes(transition.on);
  const { problem, isRepeat = false } = transition;
  return problem.severity === 'critical' && !isRepeat && on.some((wanted) => wanted === transition.on);
}

/** Tells which hooks are about the rows of transitions, as they are or were last; one that is not known is read first. */
function createHookRows({ configuration, problems, view, cache }: Account) {
  /** The rows of open problems as they were last, by problem. */
  let last: ReadonlyMap<string, Row> = new Map();

  // A row that goes takes its problem along; then its last state is that of the time before.
  const stop = problems.subscribe((state) => {
    if (!configuration.getState().hooks.some(({ where }) => where !== undefined)) return;
    const rows = state.problems.flatMap(({ id, resource, params }) => {
      const of = resourceCalled(resource);
      const row = (of && cachedRow(view, of, params)) ?? last.get(id);
      return row ? [[id, row] as const] : [];
    });
    last = new Map(rows);
  });

  return {
    stop,
    isAbout({ for: area, where }: HookConfig, transition: Transition): boolean | Promise<boolean> {
      if (area === undefined) return true;
      const about = transition.on === 'job-ended' ? rowOfEntity(transition.job.entity) : transition.problem;
      const resource = resourceCalled(area);
      if (!resource || about?.resource !== resource.name) return false;
      if (where === undefined) return true;
      const { params } = about;
      const isFound = (row: Row | undefined) => {
        const filter = parseFilter(where, resource.columns, view);
        return row !== undefined && !('error' in filter) && filter.matches(row);
      };
      const gone = () => view.deleted(resource.name).findLast((row) => idOf(resource, row) === idIn(resource, params));
      const row =
        cachedRow(view, resource, params) ??
        (transition.on === 'job-ended' ? undefined : last.get(transition.problem.id)) ??
        gone();
      if (row || !resource.view) return isFound(row);
      return cache.readRow(resource, params).then(() => isFound(cachedRow(view, resource, params)));
    },
  };
}

const maxAtOnce = 4;

/** So many runs begin in a minute. */
const maxPerMinute = 30;

/**
 * Begins at most some runs in a minute, and has fewer at once; the others wait.
 * @param onLeftOut told how many runs were left out, once for those of a minute
 */
function createRunQueue(now: () => Timestamp, onLeftOut: (count: number) => void) {
  let begun: readonly Timestamp[] = [];
  let waiting: readonly (() => Promise<void>)[] = [];
  let running = 0;
  let leftOut = 0;
  let toldAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function next(): void {
    const [first, ...rest] = waiting;
    if (!first || running >= maxAtOnce) return;
    waiting = rest;
    running++;
    void first().finally(() => {
      running--;
      next();
    });
  }

  function tell(): void {
    timer = undefined;
    toldAt = now();
    onLeftOut(leftOut);
    leftOut = 0;
  }

  return {
    /** Begins it when there is room; too many in the last minute are left out. */
    add: (run: () => Promise<void>) => {
      begun = begun.filter((at) => msSince(at, now()) < minute);
      if (begun.length >= maxPerMinute) {
        leftOut++;
        // They come together.
        timer ??= setTimeout(tell, timerDelay(Math.max(second, minute - msSince(toldAt, now())))).unref();
        return;
      }
      begun = [...begun, now()];
      waiting = [...waiting, run];
      next();
    },
    /** Forgets what waits or is to be told. */
    stop: () => {
      clearTimeout(timer);
      waiting = [];
    },
  };
}
