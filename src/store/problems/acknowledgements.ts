import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Acknowledgement } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';

/** Where one text is kept from one session to the next. */
export interface StateFile {
  /** Undefined when nothing is kept. Throws an Error, one sentence. */
  read(): string | undefined;
  /** Throws an Error, one sentence. */
  write(text: string): void;
}

/** A problem is acknowledged for so many ms, until it changes, or for good. */
export type Expiry = number | 'changed' | 'good';

export interface AcknowledgementsState {
  /** By the id of the problem; some may have ended. */
  all: ReadonlyMap<string, Acknowledgement>;
}

/** The problems that somebody knows of already. */
export interface Acknowledgements extends StoreApi<AcknowledgementsState> {
  /** The acknowledgement of a problem that is in force now. */
  of(problem: Problem): Acknowledgement | undefined;
  acknowledge(problems: readonly Problem[], reason: string, term: Expiry): void;
  remove(ids: readonly string[]): void;
}

/**
 * Keeps acknowledgements; without a file as long as the program runs. What others have put there meanwhile is kept as
 * well, and what cannot be understood is left as it is.
 * @param onTrouble told, one sentence, why they are not kept
 */
export function createAcknowledgements(
  now: () => number,
  file: StateFile | undefined,
  onTrouble: (says: string) => void,
): Acknowledgements {
  const kept = () => attempt(() => readFrom(file));
  const store = createStore<AcknowledgementsState>(() => ({ all: kept() ?? new Map() }));
  /** Whether what is in the store is in the file as well. */
  let isKept = file !== undefined;

  function attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      onTrouble(`${(error as Error).message} What is acknowledged is forgotten when you quit.`);
      return undefined;
    }
  }

  function change(alter: (all: Map<string, Acknowledgement>) => void): void {
    const before = kept();
    const all = new Map(isKept && before ? before : store.getState().all);
    alter(all);
    for (const [id, { until }] of all) if (until !== undefined && until <= now()) all.delete(id);
    const text = `${JSON.stringify([...all.values()], undefined, 2)}\n`;
    isKept = before !== undefined && file !== undefined && attempt(() => file.write(text) ?? true) === true;
    store.setState({ all });
  }

  return {
    ...store,
    of: (problem) => {
      const found = store.getState().all.get(problem.id);
      return found && holds(found, problem, now()) ? found : undefined;
    },
    acknowledge: (problems, reason, term) =>
      change((all) => {
        for (const { id, severity, since } of problems) {
          const until = typeof term === 'number' ? now() + term : undefined;
          const as = term === 'changed' ? { severity, since } : undefined;
          all.set(id, { problem: id, reason, at: now(), until, as });
        }
      }),
    remove: (ids) =>
      change((all) => {
        for (const id of ids) all.delete(id);
      }),
  };
}

function holds({ until, as }: Acknowledgement, { severity, since }: Problem, now: number): boolean {
  if (until !== undefined && until <= now) return false;
  return !as || (as.severity === severity && as.since === since);
}

/** Reads what is kept, by the id of the problem. Throws an Error, one sentence. */
function readFrom(file: StateFile | undefined): ReadonlyMap<string, Acknowledgement> {
  const text = file?.read();
  if (text === undefined) return new Map();
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every(isAcknowledgement))
    throw new Error('The file of acknowledged problems is damaged; it is left as it is until it is mended or removed.');
  return new Map(list.map((one) => [one.problem, one]));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAcknowledgement(value: unknown): value is Acknowledgement {
  if (typeof value !== 'object' || value === null) return false;
  const { problem, reason, at, until, as } = value as Record<string, unknown>;
  const isTold = typeof problem === 'string' && typeof reason === 'string' && isTime(at);
  return isTold && (until === undefined || isTime(until)) && (as === undefined || isBeginning(as));
}

const isTime = (value: unknown): boolean => typeof value === 'number' && Math.abs(value) <= 8.64e15;

function isBeginning(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { severity, since } = value as Record<string, unknown>;
  return typeof severity === 'string' && (since === undefined || isTime(since));
}
