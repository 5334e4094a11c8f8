import type { KeyPath } from './lines.ts';
import type { TomlTable } from './meant.ts';

/** A file beside the configuration, read as if its parts stood there. */
export interface BesideSource {
  file: string;
  source: string;
  /** It has commands and nothing else. */
  isOfCommands?: true;
}

/** The reader of such files, and what is told of their mistakes. */
interface Reading {
  /** Undefined where it is no TOML; the mistake is noted at this path. */
  tableOf: (from: BesideSource, path: KeyPath) => TomlTable | undefined;
  note: (from: BesideSource, path: KeyPath, says: string) => void;
}

/**
 * Adds the parts of other files to a configuration, in their order; one that is there already is a mistake, which names both.
 * Returns a function that finds a path of the configuration in the file that it comes from; undefined for its own.
 */
export function addBeside(table: TomlTable, beside: readonly BesideSource[], { tableOf, note }: Reading) {
  const from = new Map<string, BesideSource>();
  /** The places of list items in their own file. */
  const places = new Map<string, number>();
  const keyOf = (...path: KeyPath) => JSON.stringify(path);
  const add = (one: BesideSource, part: string, added: unknown) => {
    const own = table[part];
    if (one.isOfCommands && part !== 'commands') {
      note(one, [part], 'has no place in this file, which has [[commands]] alone');
    } else if (one.isOfCommands && !Array.isArray(added)) {
      note(one, [part], 'must be tables: [[commands]]');
    } else if (own === undefined && !isTable(added) && !Array.isArray(added)) {
      table[part] = added;
      from.set(keyOf(part), one);
    } else if (Array.isArray(added)) {
      // Of one that is no list, its own mistake is told.
      if (own !== undefined && !Array.isArray(own)) return;
      const before: readonly unknown[] = own ?? [];
      table[part] = [...before, ...added];
      for (const nth of added.keys()) {
        from.set(keyOf(part, before.length + nth), one);
        places.set(keyOf(part, before.length + nth), nth);
      }
    } else if (isTable(added) && (own === undefined || isTable(own))) {
      const whole: TomlTable = { ...own };
      for (const [name, inner] of Object.entries(added)) {
        const { file = 'the configuration itself' } = from.get(keyOf(part, name)) ?? {};
        if (Object.hasOwn(whole, name)) note(one, [part, name], `stands in ${file} already; leave out one of the two`);
        else {
          Object.defineProperty(whole, name, { value: inner, enumerable: true, configurable: true, writable: true });
          from.set(keyOf(part, name), one);
        }
      }
      table[part] = whole;
    }
  };
  for (const one of beside)
    for (const [part, added] of Object.entries(tableOf(one, one.isOfCommands ? ['commands'] : []) ?? {}))
      add(one, part, added);
  return ([part = '', name = '', ...rest]: KeyPath): { from: BesideSource; path: KeyPath } | undefined => {
    const other = from.get(keyOf(part, name)) ?? from.get(keyOf(part));
    return other && { from: other, path: [part, places.get(keyOf(part, name)) ?? name, ...rest] };
  };
}

const isTable = (value: unknown): value is TomlTable =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof Date);
