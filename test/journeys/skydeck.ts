import { onTestFinished, vi } from 'vitest';
import type { EndedChange } from '../../src/api/changeAudit.ts';
import { connect } from '../../src/api/client.ts';
import { type Configuration, noConfiguration } from '../../src/config/configuration.ts';
import { type Demo, type DemoOptions, startDemo } from '../../src/demo/server.ts';
import { type AccountAudit, accountAudit, auditHooks, auditOwner } from '../../src/program/auditLog/accountAudit.ts';
import { whyRefused } from '../../src/program/connection.ts';
import { resourceNamed } from '../../src/resources/index.ts';
import { type DashboardOptions, openDashboard } from '../../src/screens/dashboard.ts';
import type { RecordedProgram } from '../../src/store/machine.ts';
import { createSession } from '../../src/store/session.ts';
import type { Shell } from '../../src/store/ssh.ts';
import type { AccountParts } from '../../src/store/stores.ts';
import { copySequence } from '../../src/terminal/capabilities.ts';
import { openPrograms } from '../../src/terminal/childProgram.ts';
import { openFiles } from '../../src/terminal/files.ts';
import { openTerminal } from '../../src/terminal/terminal.ts';
import { colourInk, drawnOn, openScreen, type Screen } from '../screen.ts';
import { type Hands, handsOn, pointer } from './hands.ts';

/** The first part of every path of the API; journeys name what follows. */
const version = /^\/\w+/.exec(resourceNamed('events').list?.path ?? '')?.[0] ?? '';
const within = (path: string) => path.slice(version.length);

type Persist = NonNullable<AccountParts['persist']>;

/** Options of a journey; 80×24, at home, with the token that may do all, when nothing else is said. */
export interface SkydeckOptions {
  columns?: number;
  rows?: number;
  place?: DashboardOptions['place'];
  /** The wall monitor instead of the dashboard. */
  watch?: DashboardOptions['watch'];
  /** Starts the demo API so (pace 50, seed 1, no colleagues), or is one that runs already and outlives the journey. */
  demo?: DemoOptions | Demo;
  token?: keyof Demo['tokens'];
  readOnly?: boolean;
  critical?: boolean;
  /** Why somebody on the way to the API could read the token. */
  tlsWarning?: string;
  accountOf?: string;
  /** The profile of its account; `demo` by default. */
  profile?: string;
  /** The host of the API, where no profile names it. */
  host?: string;
  /** Further profiles, each with an account; a sentence says why one cannot be opened. */
  others?: Readonly<Record<string, OtherAccount | string>>;
  /** The user's own keys, views, commands, guards. */
  configuration?: Partial<Configuration>;
  /** The state that sessions of the account share; by default nothing is kept. */
  state?: Persist['state'];
  /** The lists of earlier sessions; none by default. */
  kept?: Persist['lists'];
  /** The audit log that sessions share. */
  audit?: AccountAudit;
  /** Keeps the commands that are added; they last for the session by default. */
  commands?: Persist['commands'];
  /** Reads it again for `:reload`. */
  reread?: AccountParts['reread'];
  ascii?: boolean;
  theme?: string;
  /** As for a screen reader. */
  screenReader?: boolean;
  /** The mouse is of use. */
  mouse?: boolean;
  /** A request may take so many milliseconds; as long as usual by default. */
  timeoutMs?: number;
  /** Milliseconds since the epoch. */
  now?: () => number;
  /** Stands in for the user's editor. */
  edit?: (text: string) => Promise<string | undefined>;
}

/** The account of another profile, at an API that runs already. */
export interface OtherAccount {
  demo: Demo;
  readOnly?: boolean;
  configuration?: Partial<Configuration>;
}

/** One attempt of a request that the dashboard made, in the order in which they ended. */
export interface Seen {
  method: string;
  /** Without the version. */
  path: string;
  status: number | undefined;
}

/** A change that was sent, and what the API answered. */
type Sent = Pick<EndedChange, 'method' | 'path' | 'body' | 'status' | 'error'>;

/** The real dashboard on a screen in this process, in front of a real demo API. */
export interface Skydeck extends Screen, Hands {
  readonly demo: Demo;
  readonly requests: readonly Seen[];
  /** Requests that change something, secrets redacted. */
  readonly changes: readonly Sent[];
  /** Programs of commands that change something, as the audit log has them. */
  readonly recorded: readonly RecordedProgram[];
  /** Texts that the terminal is to copy. */
  readonly copied: readonly string[];
  /** Shells on servers that were opened. */
  readonly shells: readonly Shell[];
  /** The ends for which the terminal rings, as the user has asked. */
  readonly rung: readonly string[];
  /** Whether the account has been examined once; a problem that comes before is not new. */
  isExamined(): boolean;
  /** Resolves when the user has quit. */
  readonly quit: Promise<void>;
  /** Moves the cursor of a list or menu to a line that is in sight, or soon will be, and holds this text. */
  pointAt(text: string): Promise<void>;
  /** Clicks on the first place of a text on the screen; with `to`, drags to so many columns right of it. */
  click(text: string, to?: number): Promise<void>;
  /** Asks the API as someone else does, past the dashboard. */
  elsewhere(method: string, path: string, body?: object): Promise<Record<string, unknown>>;
  /** Waits until nothing is in progress in the cloud. */
  calm(): Promise<void>;
  /** Has the dashboard look at the events now, as it does by itself every 15 seconds while nothing is in progress. */
  hear(): Promise<void>;
  close(): Promise<void>;
}

const isRunning = (demo: DemoOptions | Demo): demo is Demo => 'tokens' in demo;

/** A demo API as journeys use it: fifty times as fast as real, and nobody else at work in it. */
export const startQuietDemo = (options: DemoOptions = {}): Promise<Demo> =>
  startDemo({ pace: 50, seed: 1, colleagues: false, ...options });

/** A demo API in real time, in which more can be let pass: what is under way stays so until then. */
export interface SlowDemo extends Demo {
  pass(minutes: number): void;
}

export async function startSlowDemo(options: DemoOptions = {}): Promise<SlowDemo> {
  let ahead = 0;
  const demo = await startQuietDemo({ pace: 1, now: () => Date.now() + ahead, ...options });
  return {
    ...demo,
    pass: (minutes) => {
      ahead += minutes * 60_000;
    },
  };
}

/** Opens Skydeck; it is closed after the test. */
export async function openSkydeck(options: SkydeckOptions = {}): Promise<Skydeck> {
  const { columns = 80, rows = 24, token = 'full', readOnly = false, now = Date.now } = options;
  const { profile: first = 'demo', others = {} } = options;
  await colourInk(1);
  const given = options.demo ?? {};
  const demo = isRunning(given) ? given : await startQuietDemo(given);
  const screen = openScreen({ columns, rows });
  const requests: Seen[] = [];
  const changes: Sent[] = [];
  const copied: string[] = [];
  const rung: string[] = [];
  let isExamined = () => false;
  let hear = async () => {};
  const shells: Shell[] = [];
  const recorded: RecordedProgram[] = [];
  const closes: (() => Promise<void>)[] = [];
  const terminal = openTerminal(screen.stdin as never, screen.stdout as never, {
    mouse: options.mouse,
    screenReader: options.screenReader,
  });
  const programs = openPrograms({
    env: () => ({ PATH: process.env.PATH }),
    terminal,
    record: async (entry: RecordedProgram) => void recorded.push(entry),
  });
  const account = (profile: string, demo: Demo, readOnly: boolean, configuration: Partial<Configuration> = {}) => {
    const session = createSession(now);
    const isFirst = profile === first;
    const audit = (isFirst && options.audit) || accountAudit(auditOwner(profile, 'demo'), undefined, now);
    const hooks = auditHooks(audit.lines);
    const api = connect({
      baseUrl: demo.url,
      token: demo.tokens[token],
      readOnly,
      timeoutMs: options.timeoutMs,
      vocabulary: isFirst && !isRunning(given) ? given.vocabulary : undefined,
      onCall: (call) => {
        if (isFirst) requests.push({ method: call.method, path: within(call.path), status: call.status });
        session.noteCall(call);
      },
      beforeChange: hooks.beforeChange,
      onChange: (change) => {
        const { method, path, body, status, error } = change;
        changes.push({ method, path: within(path), body, status, error });
        hooks.onChange(change);
      },
    });
    closes.push(() => api.close());
    const parts: AccountParts = {
      api,
      session,
      settings: {
        profile,
        host: profile === first ? options.host : undefined,
        readOnly,
        critical: options.critical ?? false,
        tlsWarning: options.tlsWarning,
        accountOf: options.accountOf,
        refreshSeconds: 60,
        theme: options.theme ?? 'dark',
        ascii: options.ascii ?? false,
        color: true,
        screenReader: options.screenReader,
        demo: true,
      },
      configuration: { ...noConfiguration, ...configuration },
      reread: isFirst ? options.reread : undefined,
      files: openFiles(undefined),
      programs: isFirst ? programs : undefined,
      audit: audit.source,
      isWatched: options.watch !== undefined,
      persist: isFirst ? { state: options.state, lists: options.kept, commands: options.commands } : undefined,
    };
    return {
      parts,
      whyRefused: () => whyRefused(api, demo.url, (account) => audit.source.owner.setState({ account })),
      close: () => api.close(),
    };
  };
  const quit = openDashboard({
    parts: account(first, demo, readOnly, options.configuration).parts,
    others: {
      profiles: () => Object.keys(others),
      open: async (profile) => {
        const other = others[profile] ?? `There is no profile ${profile}.`;
        return typeof other === 'string'
          ? other
          : account(profile, other.demo, other.readOnly ?? false, other.configuration);
      },
    },
    place: options.place,
    watch: options.watch,
    terminal,
    copy: (text) => {
      copied.push(text);
      screen.stdout.write(copySequence(text, {}));
    },
    edit: options.edit ?? (async () => undefined),
    runShells: async (those) => {
      shells.push(...those);
      return those.map(({ label }) => ({ isGood: true, says: `The shell on ${label} has ended.` }));
    },
    suspend: () => false,
    onAccount: ({ events, reminders, problems }) => {
      isExamined = () => problems.getState().examinedAt !== undefined;
      hear = events.poll;
      return reminders.onDue((says) => void rung.push(says));
    },
    now,
  });

  /** Every key is handled when it was taken, so what it changed is on the screen when all is drawn. */
  const drawn = async () => {
    await drawnOn(terminal.stdout);
    await screen.shown();
  };
  /** As a person does, waits while a form is being sent, whose row may show progress before, and while there is none yet. */
  const isTaken = async (keys: readonly string[]) => {
    if (!keys.every((key) => takenMeanwhile.has(key))) await screen.waitFor((text) => !isClosed.test(text));
  };
  const press: Skydeck['press'] = async (...keys) => {
    await isTaken(keys);
    await screen.press(...keys);
    await drawn();
  };
  const type: Skydeck['type'] = async (text) => {
    await isTaken([...text]);
    await screen.type(text);
    await drawn();
  };
  const paste: Skydeck['paste'] = async (text) => {
    await isTaken([...text]);
    await screen.paste(text);
    await drawn();
  };
  const hands = handsOn({ ...screen, press, type, paste });
  const { cursorLine } = hands;

  const click: Skydeck['click'] = async (text, to) => {
    await screen.waitFor(text);
    const lines = shown();
    const row = lines.findIndex((line) => line.includes(text));
    const column = lines[row]?.indexOf(text) ?? 0;
    const report = (code: number, at: number, end: string) => `[<${code};${at + 1};${row + 1}${end}`;
    const reports = [report(0, column, 'M'), ...(to === undefined ? [] : [report(32, column + to, 'M')])];
    for (const sent of [...reports, report(0, column + (to ?? 0), 'm')]) await screen.pressAtOnce('esc', ...sent);
    await drawn();
  };

  const pointAt: Skydeck['pointAt'] = async (text) => {
    await isTaken(['down']);
    await screen.waitFor(text);
    // The dashboard may move the cursor meanwhile, e.g. to what was just made.
    for (let attempt = 0; !cursorLine().includes(text); attempt++) {
      if (attempt === 60) throw new Error(`the cursor does not come to ${text}:\n${screen.text()}`);
      const lines = shown().slice(0, -1);
      const target = lines.findLastIndex((line) => line.includes(text) && !banner.test(line));
      const cursor = lines.findLastIndex((line) => pointer.test(line));
      const key = target > cursor ? 'down' : 'up';
      // A page has lines that the cursor passes over.
      const steps = attempt < 3 ? Math.abs(target - cursor) : 1;
      for (let step = 0; step < steps; step++) await screen.press(key);
      await drawn();
    }
  };

  const elsewhere: Skydeck['elsewhere'] = async (method, path, body) => {
    const headers = { Authorization: `Bearer ${demo.tokens.full}`, 'Content-Type': 'application/json' };
    const answer = await fetch(demo.url + version + path, { method, headers, body: body && JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };

  let closing: Promise<void> | undefined;
  const close = async () => {
    await ended(quit, screen);
    await Promise.all(closes.map((end) => end()));
    if (!isRunning(given)) await demo.close();
  };

  const skydeck: Skydeck = {
    ...screen,
    get bytes() {
      return screen.bytes;
    },
    demo,
    requests,
    changes,
    copied,
    rung,
    isExamined: () => isExamined(),
    shells,
    recorded,
    quit,
    press,
    type,
    ...hands,
    pointAt,
    click,
    elsewhere,
    calm: async () => {
      // Each look is a page of events, which takes 5 ms of this very process.
      const isBusy = async () => {
        const { data } = await elsewhere('GET', '/account/events');
        return (data as { status: string }[]).some(({ status }) => ['started', 'scheduled'].includes(status));
      };
      await vi.waitUntil(async () => !(await isBusy()), { interval: 100, timeout: 60_000 });
    },
    hear: () => hear(),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
  // A hook of this file would be there for the first file of tests only that loads it.
  onTestFinished(skydeck.close);
  return skydeck;

  function shown(): string[] {
    return screen.text().split('\n');
  }
}

/** Said where a form takes no keys, or a choice has nothing to take them for so far. */
const isClosed = /Sending … |Reading what it depends on …|^(.*│)? {3}Reading …$/m;

/** The keys that a form takes meanwhile. */
const takenMeanwhile = new Set(['esc', 'ctrl-c', 'X']);

/** Stands before a sentence above the footer. */
const banner = /^ [✓✗i] /;

/** Presses ctrl-c, which closes one thing after another and then the program, until it has ended. */
async function ended(quit: Promise<void>, screen: Screen): Promise<void> {
  let over = false;
  const end = quit.finally(() => {
    over = true;
  });
  while (!over) await Promise.race([end, screen.press('ctrl-c')]);
}
