import type { Span } from '../../components/spans.ts';
import { isInProgress } from '../../resources/account/events.ts';
import { servers } from '../../resources/compute/servers.ts';
import { moneyOf } from '../../store/accounts/accounts.ts';
import { listQuery, queryKey } from '../../store/cache.ts';
import { modeOf, type Settings } from '../../store/session.ts';
import type { Stores } from '../../store/stores.ts';
import { grouped } from '../../text/numbers.ts';
import { ageText, second, type Timestamp } from '../../text/times.ts';
import { freshnessOf } from '../freshness.ts';
import { amountSpan, balanceSummary } from '../home/accountTiles.ts';

/** The columns behind the name, those of figures at the right; the narrowest screen has the state, the problems and the servers. */
export const factColumns = {
  STATE: { keep: 1, align: 'left' },
  AGE: { keep: 2, align: 'right' },
  CRITICAL: { keep: 1, align: 'right' },
  WARNINGS: { keep: 1, align: 'right' },
  JOBS: { keep: 2, align: 'right' },
  SERVERS: { keep: 2, align: 'right' },
  MONEY: { keep: 2, align: 'left' },
  UNINVOICED: { keep: 2, align: 'right' },
  MODE: { keep: 2, align: 'left' },
} as const;

type Title = keyof typeof factColumns;

/** One account in a line. */
export interface AccountRow extends Pick<Settings, 'profile' | 'host'> {
  cells: Readonly<Record<Title, Span>>;
  /** Why there is no newer data, as a sentence. */
  why: string | undefined;
  /** The API owes an answer, so that the line counts on. */
  isWaiting: boolean;
}

/** An account is said not to answer from so much later on. */
const silentMs = 4 * second;

/** The events are polled at least so often. */
const quietMs = 90 * second;

/** The keys of what is read of an account beside its problems. */
const keys = { servers: queryKey(listQuery(servers)), account: queryKey(moneyOf) };

const unknown: Span = { text: '–', role: 'dim' };
const pending: Span = { text: '…', role: 'dim' };

/** An account that is not open: it is being opened, or cannot be, for the reason given as a sentence. */
export function closedRow(profile: string, failure: string | undefined): AccountRow {
  const state: Span = failure === undefined ? { text: 'opening …', role: 'dim' } : { text: 'not open', role: 'bad' };
  const cells = Object.fromEntries(Object.keys(factColumns).map((title) => [title, unknown])) as Record<Title, Span>;
  return {
    profile,
    cells: { ...cells, STATE: state, MODE: { text: '' } },
    why: failure,
    isWaiting: failure === undefined,
  };
}

/**
 * An account that is open.
 * @param since when it was asked, in ms since the epoch
 */
export function openRow(profile: string, stores: Stores, since: Timestamp, now: Timestamp): AccountRow {
  const { view, session, problems, events, cache } = stores;
  const { trouble } = session.getState();
  const { level, dataAt, why } = freshnessOf(stores, now);
  const [account] = view.rows('account');
  const found = problems.getState();
  const count = (severity: string) => found.problems.filter((problem) => problem.severity === severity).length;
  const problemCount = (severity: string, role: Span['role']): Span => {
    // Nobody knows of problems of an account that was never read.
    if (dataAt === undefined) return trouble ? unknown : pending;
    return found.examinedAt === undefined ? pending : counted(count(severity), role);
  };
  const { collections, answers } = cache.getState();
  const servers = collections[keys.servers];
  const unread = answers[keys.account]?.error ? unknown : pending;
  const { polledAt, error } = events.getState();
  const silence = silenceOf(stores, since, now);
  const cells: AccountRow['cells'] = {
    STATE: stateOf(level, trouble?.text, silence),
    AGE: dataAt === undefined ? unknown : { text: ageText(now - dataAt), role: level === 'fresh' ? undefined : 'warn' },
    CRITICAL: problemCount('critical', 'bad'),
    WARNINGS: problemCount('warning', 'warn'),
    JOBS: polledAt === undefined ? (error ? unknown : pending) : counted(jobsOf(stores), 'busy'),
    SERVERS: servers?.loadedAt ? { text: grouped(servers.rows.length) } : servers?.error ? unknown : pending,
    MONEY: account ? balanceSummary(account.balance) : unread,
    UNINVOICED: account ? { text: amountSpan(account.balance_uninvoiced).text } : unread,
    MODE: { text: modeOf(stores), role: 'warn' },
  };
  return {
    profile,
    host: stores.settings.host,
    cells,
    why: why ?? trouble?.text,
    isWaiting: silence !== undefined || level === 'reading' || Object.values(cells).includes(pending),
  };
}

const counted = (count: number, role: Span['role']): Span =>
  count === 0 ? { text: '0', role: 'dim' } : { text: grouped(count), role };

/** Events in progress, and what this session sends. */
const jobsOf = ({ events, changes, transfers }: Stores): number =>
  events.getState().events.filter(isInProgress).length +
  changes.getState().changes.filter(({ isOver }) => !isOver).length +
  transfers.getState().transfers.filter(({ state }) => state === 'running').length;

/** For how long an API owes an answer, in ms; undefined where it does not, or not for long. */
export function silenceOf({ session }: Stores, since: Timestamp, now: Timestamp): number | undefined {
  const { trouble, answeredAt } = session.getState();
  // Nothing is read while all is new enough.
  const isDue = trouble !== undefined || answeredAt === undefined || now - answeredAt > quietMs;
  if (!isDue || (answeredAt ?? 0) >= (trouble?.since ?? since)) return undefined;
  const from = answeredAt === undefined ? Math.min(since, trouble?.since ?? since) : (trouble?.since ?? since);
  return now - from < silentMs ? undefined : now - from;
}

function stateOf(level: string, trouble: string | undefined, silence: number | undefined): Span {
  if (silence !== undefined) return { text: `no answer for ${ageText(silence)}`, role: 'bad' };
  if (trouble !== undefined) return { text: trouble, role: 'bad' };
  if (level === 'reading') return { text: 'reading …', role: 'dim' };
  return level === 'fresh' ? { text: 'ok', role: 'good' } : { text: level === 'late' ? 'late' : 'old', role: 'warn' };
}
