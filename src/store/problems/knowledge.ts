import { resourceNamed } from '../../resources/index.ts';
import type { Problem, Rule } from '../../resources/problems/rule.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { CacheChanges, LoadedEntry } from '../cacheChanges.ts';
import { mayBeIn } from '../queries.ts';

/** The data that rules have examined so far, which tell a problem that began from one that is only found now. */
export function createKnowledge(view: CacheView, { loaded }: Pick<CacheChanges, 'loaded'>) {
  /** The names of entries that a rule has read so far. */
  const entriesReadBy = new Map<Rule, Set<string>>();
  /** The servers whose load was known. */
  const measured = new Set<string>();
  /** The loaded entries when the last run began. */
  let loadedBefore: ReadonlyMap<string, LoadedEntry> = new Map();

  return {
    /** A rule examines a row. */
    examine: (rule: Rule) => {
      if (!entriesReadBy.has(rule)) entriesReadBy.set(rule, new Set([rule.of]));
    },
    /** A rule has read an entry of this name. */
    read: (rule: Rule, entry: string) => void entriesReadBy.get(rule)?.add(entry),
    /** A run begins; at its end, the result tells which of its problems are certainly new. */
    begin: () => {
      const rules = new Map([...entriesReadBy.keys()].map((rule) => [rule.name, rule]));
      const before = loadedBefore;
      loadedBefore = loaded();
      return (problems: readonly Problem[]): readonly Problem[] => {
        const firstMeasured = [...view.measured()].filter((id) => !measured.has(id) && view.usage(id));
        for (const id of firstMeasured) measured.add(id);
        if (problems.length === 0) return [];
        const known = [...before.values()];
        const firstLoaded = [...loaded()].flatMap(([key, entry]) =>
          before.has(key) || isListed(entry, known) ? [] : [entry],
        );
        return problems.filter(({ rule: name, params }) => {
          const rule = rules.get(name);
          const entries = rule && entriesReadBy.get(rule);
          return (
            entries !== undefined &&
            !firstLoaded.some((entry) => entries.has(entry.name) && mayBeIn(params, entry.params)) &&
            !Object.values(params).some((id) => firstMeasured.includes(id))
          );
        });
      };
    },
    replaceRules: (rules: readonly Rule[]) => {
      for (const rule of entriesReadBy.keys()) if (!rules.includes(rule)) entriesReadBy.delete(rule);
    },
  };
}

/** Whether this is a row viewed alone whose list was read with all its fields. */
const isListed = ({ name, params }: LoadedEntry, known: readonly LoadedEntry[]): boolean =>
  known.some(
    (list) =>
      list.name === name &&
      Object.keys(list.params).length < Object.keys(params).length &&
      Object.entries(list.params).every(([key, value]) => params[key] === value) &&
      !resourceNamed(name).list?.partial,
  );
