import { createStore } from 'zustand/vanilla';
import { keptId } from '../../resources/identity.ts';
import type { Acknowledgement } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import { isRow, isText } from '../../resources/row.ts';
import { attempt } from '../../text/errno.ts';
import { isTime, minute, type Timestamp } from '../../text/times.ts';
import type { StoredValues } from '../kept/accountState.ts';

/** The end of an acknowledgement: after some ms, when the problem changes, or never. */
export type Expiry = number | 'changed' | 'never';

export interface AcknowledgementsState {
  /** By the id of the problem; some may have ended. */
  all: ReadonlyMap<string, Acknowledgement>;
}

/** The problems that somebody knows of already. */
export type Acknowledgements = ReturnType<typeof createAcknowledgements>;

/** So many that have ended are kept. */
const maxEnded = 100;

type Changes = ReadonlyMap<string, Acknowledgement | undefined>;

/**
 * Keeps acknowledgements for all sessions of the account, or without `kept` for this one.
 * @param onTrouble called with one sentence that says why they are not kept
 */
export function createAcknowledgements(
  now: () => Timestamp,
  kept: StoredValues | undefined,
  onTrouble: (says: string) => void,
) {
  /** Changes that are not kept yet. */
  let own: Changes = new Map();
  const keptNow = () => kept && attempt(() => acknowledgementsIn(withKeptIds(kept)), onTrouble);
  const store = createStore<AcknowledgementsState>(() => ({ all: keptNow() ?? new Map() }));

  function change(changes: Changes): void {
    own = new Map([...own, ...changes]);
    let before = store.getState().all;
    const isKept = attempt(() => {
      before = kept ? acknowledgementsIn(withKeptIds(kept)) : before;
      kept?.put([...over(before), ...own]);
      return true;
    }, onTrouble);
    store.setState({ all: withChanges(before, new Map([...over(before), ...own])) });
    if (isKept) own = new Map();
  }

  /** Those that are dropped; where the clock was ahead for a while, the last that have ended hold again. */
  const over = (all: AcknowledgementsState['all']): readonly (readonly [string, undefined])[] =>
    [...all]
      .flatMap(([id, { until }]) => (until !== undefined && until <= now() ? [[id, undefined] as const] : []))
      .slice(0, -maxEnded);

  return {
    ...store,
    /** The acknowledgement of a problem that is in force now. */
    of: (problem: Problem) => {
      const found = store.getState().all.get(problem.id);
      return found && holds(found, problem, now()) ? found : undefined;
    },
    acknowledge: (problems: readonly Problem[], reason: string, expiry: Expiry) =>
      change(
        new Map(
          problems.map(({ id, severity, since }) => {
            const until = typeof expiry === 'number' ? now() + expiry : undefined;
            const as = expiry === 'changed' ? { severity, since } : undefined;
            return [id, { problem: id, reason, at: now(), until, as }];
          }),
        ),
      ),
    remove: (ids: readonly string[]) => change(new Map(ids.map((id) => [id, undefined]))),
    /** Tries once more to keep what could not be kept. */
    keep() {
      if (own.size > 0) change(new Map());
    },
    /** Takes over what other sessions have acknowledged since. */
    refresh() {
      const all = keptNow();
      if (all) store.setState({ all: withChanges(all, own) });
    },
  };
}

const withChanges = (all: AcknowledgementsState['all'], changes: Changes): AcknowledgementsState['all'] =>
  new Map([...new Map([...all, ...changes])].flatMap(([id, one]) => (one ? [[id, one]] : [])));

function holds({ at, until, as }: Acknowledgement, { severity, since }: Problem, now: number): boolean {
  // One that was made later than now is of a clock that was ahead, and would hold for as much too long.
  if (until !== undefined && (until <= now || at > now + minute)) return false;
  return !as || (as.severity === severity && as.since === since);
}

/** The values that are kept; problems of transfers that an earlier version named by their tokens get the ids that they have now. */
function withKeptIds(kept: StoredValues): ReturnType<StoredValues['read']> {
  const values = kept.read();
  const own = (id: string) =>
    id.replace(/^(transfer-\w+ )([\w-]{20,})$/, (_, rule, token) => rule + keptId({ id: 'token' }, token));
  const old = [...values].filter(([id]) => own(id) !== id);
  if (old.length === 0) return values;
  const renamed = old.map(([id, value]) => [own(id), isRow(value) ? { ...value, problem: own(id) } : value] as const);
  kept.put([...renamed, ...old.map(([id]) => [id, undefined] as const)]);
  return kept.read();
}

/** The acknowledgements among values that were kept, by problem id. */
const acknowledgementsIn = (values: ReadonlyMap<string, unknown>): ReadonlyMap<string, Acknowledgement> =>
  new Map(
    [...values].flatMap(([id, value]) => (isAcknowledgement(value) && value.problem === id ? [[id, value]] : [])),
  );

function isAcknowledgement(value: unknown): value is Acknowledgement {
  if (!isRow(value)) return false;
  const { problem, reason, at, until, as } = value;
  const isTold = isText(problem) && isText(reason) && isTime(at);
  return isTold && (until === undefined || isTime(until)) && (as === undefined || isBeginning(as));
}

const isBeginning = (value: unknown): boolean =>
  isRow(value) && isText(value.severity) && (value.since === undefined || isTime(value.since));
