import type { AccountState, KeptKind, KeptValues } from '../../src/store/kept/accountState.ts';

/** The state of an account in memory, which may refuse. */
export interface MemoryState {
  refuses: boolean;
  /** Counts the changes. */
  writes: number;
  /** The values of a kind. */
  of(kind: KeptKind): KeptValues;
  /** The state as a session of its own has it. */
  session(): AccountState;
  /** Everything that is kept, as JSON. */
  text(): string;
}

export function memoryState(first: Partial<Record<KeptKind, Readonly<Record<string, unknown>>>> = {}): MemoryState {
  const kinds = new Map<string, Map<string, string>>();
  for (const [kind, values] of Object.entries(first))
    kinds.set(kind, new Map(Object.entries(values).map(([key, value]) => [key, JSON.stringify(value)])));
  const parsed = (kind: KeptKind) =>
    new Map<string, unknown>([...(kinds.get(kind) ?? [])].map(([key, text]) => [key, JSON.parse(text)]));
  const state: MemoryState = {
    refuses: false,
    writes: 0,
    of: (kind) => ({
      read: () => {
        refuse();
        return parsed(kind);
      },
      change: (alter) => {
        refuse();
        const kept = new Map(kinds.get(kind));
        for (const [key, value] of alter(parsed(kind))) {
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
      return {
        of: state.of,
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
    text: () => JSON.stringify([...kinds].map(([kind, values]) => [kind, [...values]])),
  };
  const refuse = () => {
    if (state.refuses) throw new Error('The disk is full.');
  };
  return state;
}
