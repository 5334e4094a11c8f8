import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Acknowledgement } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Timestamp } from '../../text/times.ts';

/** A text file that outlives the session. */
export interface StateFile {
  /** Undefined when there is no file. Throws an Error, one sentence. */
  read(): string | undefined;
  /** Throws an Error, one sentence. */
  write(text: string): void;
}

/** The end of an acknowledgement: after some ms, when the problem changes, or never. */
export type Expiry = number | 'changed' | 'never';

export interface AcknowledgementsState {
  /** By the id of the problem; some may have ended. */
  all: ReadonlyMap<string, Acknowledgement>;
}

/** The problems that somebody knows of already. */
export interface Acknowledgements extends StoreApi<AcknowledgementsState> {
  /** The acknowledgement of a problem that is in force now. */
  of(problem: Problem): Acknowledgement | undefined;
  acknowledge(problems: readonly Problem[], reason: string, expiry: Expiry): void;
  remove(ids: readonly string[]): void;
}

/**
 * Keeps acknowledgements in a file, or without one for this session. Keeps those that others have added to the file since,
 * and leaves a damaged file as it is.
 * @param onTrouble called with one sentence that says why they are not saved
 */
export function createAcknowledgements(
  now: () => Timestamp,
  file: StateFile | undefined,
  onTrouble: (says: string) => void,
): Acknowledgements {
  const saved = () => attempt(() => readFrom(file));
  const store = createStore<AcknowledgementsState>(() => ({ all: saved() ?? new Map() }));
  /** Whether the file holds what the store does. */
  let isSaved = file !== undefined;

  function attempt<T>(act: () => T): T | undefined {
    try {
      return act();
    } catch (error) {
      onTrouble(`${(error as Error).message} Acknowledgements are lost when you quit.`);
      return undefined;
    }
  }

  function change(alter: (all: Map<string, Acknowledgement>) => void): void {
    const before = saved();
    const all = new Map(isSaved && before ? before : store.getState().all);
    alter(all);
    for (const [id, { until }] of all) if (until !== undefined && until <= now()) all.delete(id);
    const text = `${JSON.stringify([...all.values()], undefined, 2)}\n`;
    isSaved = before !== undefined && file !== undefined && attempt(() => file.write(text) ?? true) === true;
    store.setState({ all });
  }

  return {
    ...store,
    of: (problem) => {
      const found = store.getState().all.get(problem.id);
      return found && holds(found, problem, now()) ? found : undefined;
    },
    acknowledge: (problems, reason, expiry) =>
      change((all) => {
        for (const { id, severity, since } of problems) {
          const until = typeof expiry === 'number' ? now() + expiry : undefined;
          const as = expiry === 'changed' ? { severity, since } : undefined;
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

/** Reads the file, by problem id. Throws an Error, one sentence. */
function readFrom(file: StateFile | undefined): ReadonlyMap<string, Acknowledgement> {
  const text = file?.read();
  if (text === undefined) return new Map();
  const list = parsed(text);
  if (!Array.isArray(list) || !list.every(isAcknowledgement))
    throw new Error('The file of acknowledged problems is damaged; repair or remove it.');
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
