import type { Theme } from '../../components/theme.ts';
import { cell, widthOf, wrapCells } from '../../text/cells.ts';
import type { KnownKey } from '../keys/keyboard.ts';
import type { Key, Layer } from '../keys/layer.ts';

/** A key, or several that do the same, and what they do. */
interface HelpEntry {
  keys: readonly string[];
  help: string;
  /** Why they do nothing now. */
  reason?: string;
}

/** Keys under one heading. */
export interface HelpSection {
  title: string;
  entries: readonly HelpEntry[];
}

/**
 * Every key, once: those that the place knows, those of every place, then the rest by layer.
 * @param known the keys of the place, the topmost layer's first
 */
export function helpSections(
  known: readonly KnownKey[],
  layers: Readonly<Record<string, Layer>>,
): readonly HelpSection[] {
  const isDone = ({ reason }: KnownKey) => reason === undefined;
  // The topmost layer that carries a key out has it; where none does, the topmost reason is told.
  const owners = new Map<string, KnownKey>();
  for (const one of [...known.filter(isDone), ...known.filter((one) => !isDone(one))])
    for (const name of one.key.keys) if (!owners.has(name)) owners.set(name, one);
  const entriesOf = (some: readonly KnownKey[]) =>
    [...some.filter(isDone), ...some.filter((one) => !isDone(one))].flatMap((one): HelpEntry[] => {
      const keys = one.key.keys.filter((name) => owners.get(name) === one);
      return keys.length > 0 ? [{ keys, help: one.key.help, reason: one.reason }] : [];
    });
  const isEverywhere = ({ layer }: KnownKey) => layer === 'everywhere';
  // Layers share what moves a cursor.
  const printed = new Set<Key>(known.map(({ key }) => key));
  const rest = Object.entries(layers).map(([name, { title, keys }]) => {
    const others = name === 'everywhere' ? [] : Object.values(keys).filter((key) => !printed.has(key));
    for (const key of others) printed.add(key);
    return { title, entries: others.map(({ keys: names, help }) => ({ keys: names, help })) };
  });
  return [
    { title: 'Here', entries: entriesOf(known.filter((one) => !isEverywhere(one))) },
    { title: 'Everywhere', entries: entriesOf(known.filter(isEverywhere)) },
    ...rest,
  ].filter(({ entries }) => entries.length > 0);
}

/** The entries with these words in them; a single character is meant as a key. */
export function matchingSections(sections: readonly HelpSection[], typed: string): readonly HelpSection[] {
  const words = typed.trim().split(/\s+/).filter(Boolean);
  const has = ({ keys, help, reason = '' }: HelpEntry, word: string) =>
    keys.includes(word) ||
    (word.length > 1 && [...keys, help, reason].join(' ').toLowerCase().includes(word.toLowerCase()));
  return sections
    .map(({ title, entries }) => ({
      title,
      entries: entries.filter((entry) => words.every((word) => has(entry, word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** From so many cells on there are two columns, and three. */
const twoFrom = 100;
const threeFrom = 150;

/** Cells of the keys. */
const keyCells = 18;

/** The sections as lines, in columns where there is room: each goes below those before it in the shortest column. */
export function helpLines(theme: Theme, sections: readonly HelpSection[], width: number): readonly string[] {
  const count = width >= threeFrom ? 3 : width >= twoFrom ? 2 : 1;
  const room = Math.floor((width - 2 * count) / count);
  const columns: { plain: string; painted: string }[][] = Array.from({ length: count }, () => []);
  for (const { title, entries } of sections) {
    const shortest = columns.reduce((least, column) => (column.length < least.length ? column : least));
    if (shortest.length > 0) shortest.push({ plain: '', painted: '' });
    shortest.push({ plain: ` ${title}`, painted: theme.paint('accent', ` ${title}`) });
    for (const entry of entries) shortest.push(...entryLines(theme, entry, room));
  }
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns
      .map((column) => column[row] ?? { plain: '', painted: '' })
      .map(({ plain, painted }) => painted + ' '.repeat(Math.max(0, room + 2 - widthOf(plain))))
      .join('')
      .trimEnd(),
  );
}

function entryLines(
  theme: Theme,
  { keys, help, reason }: HelpEntry,
  room: number,
): readonly { plain: string; painted: string }[] {
  const names = keys.map((name) => (name === 'any' ? 'any other' : name)).join(' ');
  // Long names of keys leave their column; what they do goes below.
  const isLong = widthOf(names) > keyCells;
  const lines = wrapCells(reason === undefined ? help : `${help} — ${reason.replace(/\.$/, '')}`, room - keyCells - 4);
  const role = reason === undefined ? 'plain' : 'dim';
  const shown = theme.paint(reason === undefined ? 'key' : 'dim', cell(names, isLong ? widthOf(names) : keyCells));
  const blank = ' '.repeat(keyCells + 4);
  const told = lines.map((line, index) =>
    index === 0 && !isLong
      ? { plain: `   ${cell(names, keyCells)} ${line}`, painted: `   ${shown} ${theme.paint(role, line)}` }
      : { plain: `${blank}${line}`, painted: `${blank}${theme.paint(role, line)}` },
  );
  return isLong ? [{ plain: `   ${names}`, painted: `   ${shown}` }, ...told] : told;
}
