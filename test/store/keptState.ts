import type { AccountState, Running, StoredKind, StoredValues } from '../../src/store/kept/accountState.ts';

/** The state of an account in memory, which may refuse. */
export interface MemoryState {
  refuses: boolean;
  /** Counts the changes. */
  writes: number;
  /** The values of a kind. */
  of(kind: StoredKind): StoredValues;
  /** The state as a session of its own has it. */
  session(): AccountState;
  /** As if the processes of all sessions were killed: they carry nothing out any more, and keep nothing. */
  kill(): void;
  /** Everything that is kept, as JSON. */
  text(): string;
}

export function memoryState(first: Partial<Record<StoredKind, Readonly<Record<string, unknown>>>> = {}): MemoryState {
  const kinds = new Map<string, Map<string, string>>();
  for (const [kind, values] of Object.entries(first))
    kinds.set(kind, new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)])));
  const parsed = (kind: StoredKind) =>
    new Map<string, unknown>([...(kinds.get(kind) ?? [])].map(([key, text]) => [key, JSON.parse(text)]));
  let killed = 0;
  const state: MemoryState = {
    refuses: false,
    writes: 0,
    of: (kind) => ({
      read: (keys) => {
        refuse();
        const wanted = keys && new Set(keys);
        return new Map([...parsed(kind)].filter(([key]) => wanted?.has(key) ?? true));
      },
      put: (values) => {
        refuse();
        const kept = new Map(kinds.get(kind));
        for (const [key, value] of values) {
          kept.delete(key);
          if (value !== undefined) kept.set(key, JSON.stringify(value));
        }
        kinds.set(kind, kept);
        state.writes++;
      },
    }),
    session: () => {
      const listeners = new Set<() => void>();
      let seen = state.writes;
      const before = killed;
      return {
        of: (kind) => {
          const { read, put } = state.of(kind);
          return { read, put: (values) => before === killed && put(values) };
        },
        together: (act) => {
          refuse();
          return act();
        },
        stamp: () => {
          refuse();
          return [state.writes];
        },
        begin: (uids) => {
          refuse();
          if (others(uids)) return undefined;
          running.set(listeners, { uids, pid: 7, host: 'here', at: 0 });
          return () => running.delete(listeners);
        },
        running: others,
        asideAt: () => undefined,
        confirm: () => {},
        look: () => {
          if (seen !== state.writes) for (const listener of listeners) listener();
          seen = state.writes;
        },
        onNews: (listener) => {
          listeners.add(listener);
          return () => listeners.delete(listener);
        },
      };
    },
    kill: () => {
      running.clear();
      killed++;
    },
    text: () => JSON.stringify([...kinds].map(([kind, values]) => [kind, [...values]])),
  };
  const running = new Map<unknown, Running>();
  const others = (uids: readonly string[]) =>
    [...running.values()].find((run) => run.uids.some((uid) => uids.includes(uid)));
  const refuse = () => {
    if (state.refuses) throw new Error('The disk is full.');
  };
  return state;
}
