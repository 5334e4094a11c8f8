import { useMemo, useRef, useState } from 'react';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { menuLetter } from '../../resources/asking.ts';
import { userActionsOf } from '../../resources/index.ts';
import { readOnlyRefusal } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { cell, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { presetNames, useKeyboard, useUserKeymap } from '../keyboard.tsx';
import type { KeySubject, KnownKey } from '../keys/keyboard.ts';
import { type Key, type Layer, moving } from '../keys/layer.ts';
import { Page } from '../page/Page.tsx';
import { cellsOf } from '../page/Pane.tsx';
import { PromptLine } from '../page/Prompt.tsx';
import type { PagePart } from '../page/usePage.ts';
import { type Size, useStores } from '../useStores.ts';

/** The keys of the place on one page, under the preset that is chosen here; typing searches all keys and tells why they do nothing. */
export function HelpPane(size: Size) {
  const theme = useTheme();
  const stores = useStores();
  const { navigation } = stores;
  const { known, ofPlace } = useKeyboard();
  const { layers, preset, isConfigured } = useUserKeymap(stores);
  const [atPlace] = useState(() => ({
    known: known(),
    own: [commandSection(stores, ofPlace().subjects), lockSection(stores, theme)],
  }));
  const [query, setQuery] = useState('');
  const [isAll, setAll] = useState(false);
  const page = useRef<PagePart>(null);
  const lines = useMemo(() => {
    const [here, ...others] = helpSections(atPlace.known, layers);
    const sections = [...(here ? [here] : []), ...atPlace.own, ...others];
    return helpLines(theme, matchingSections(sections, query), size.width, query === '' && !isAll);
  }, [theme, atPlace, layers, query, isAll, size.width]);
  const step = (by: number) => () => {
    if (isConfigured) return `The configuration says preset = "${preset}"; it is changed there.`;
    const at = presetNames.indexOf(preset) + by + presetNames.length;
    navigation.setState({ preset: presetNames[at % presetNames.length] });
    return undefined;
  };
  const search = (text: string) => {
    setQuery(text);
    page.current?.scrollTo(0);
  };
  return (
    <Page
      {...size}
      ref={page}
      layer="help"
      title="Keys"
      count={`preset ${presetNames.map((name) => (name === preset ? `[${name}]` : name)).join(' ')}`}
      head={[
        <PromptLine
          key="search"
          label={` ${marksOf(theme).pointer} `}
          value={query}
          change={search}
          placeholder="type to search keys and words"
          width={size.width - 1}
        />,
      ]}
      lines={lines}
      none={`No key has these words; ${keyLabel('help.close', 'esc')} clears them.`}
      keys={{
        search: () => 'Type a key, or a part of what it does.',
        all: () => setAll(!isAll),
        nextPreset: step(1),
        previousPreset: step(-1),
        clear: () => search(''),
        close: () => (query === '' ? navigation.close() : search('')),
      }}
      options={{
        typing: true,
        commands: query === '' ? ['?', '/', 'left', 'right'] : ['?'],
        onPaste: (text) => search(query + text.trim()),
      }}
    />
  );
}

/** The meaning of the lock; without entries where no guard denies anything. */
function lockSection({ configuration }: Pick<Stores, 'configuration'>, theme: Theme): HelpSection {
  const entry = { keys: [marksOf(theme).lock], help: 'a guard keeps it as it is' };
  return { title: 'Before a row', entries: configuration.getState().guards.some(({ deny }) => deny) ? [entry] : [] };
}

/** The user's own commands for the rows of a place, with their keys; without entries where there are none. */
function commandSection(stores: Pick<Stores, 'api' | 'session'>, subjects: readonly KeySubject[]): HelpSection {
  const menu = keyLabel('list.actions', 'a');
  const entries = [...new Set(subjects.map(({ resource }) => resource))].flatMap((resource) =>
    userActionsOf(resource)
      .filter((action) => !readOnlyRefusal(stores, action))
      .map(({ key, help }) => ({ keys: [key === '' ? menu : `${menu} ${menuLetter(key)}`], help })),
  );
  return { title: 'Your commands', entries };
}

/** A key, or several that do the same, and what they do. */
interface HelpEntry {
  keys: readonly string[];
  help: string;
  /** Why they do nothing now. */
  reason?: string;
}

/** Keys under one heading. */
interface HelpSection {
  title: string;
  entries: readonly HelpEntry[];
  /** The keys of another place, of which the first page tells only how many there are. */
  isElsewhere?: true;
}

const moves: Readonly<Record<string, Key>> = moving;
const movesTitle = 'Move';
const namedTitle = 'Without a key: by name behind :';

/** Keeps the words of a part on one line. */
const unbroken = '\u00a0';

/**
 * Every key, once: those of the place and of every place, those that move, what is done by its name, then the rest by layer.
 * @param known the keys of the place, the topmost layer's first
 */
export function helpSections(
  known: readonly KnownKey[],
  layers: Readonly<Record<string, Layer>>,
): readonly HelpSection[] {
  const isDone = ({ reason }: KnownKey) => reason === undefined;
  const keyOf = ({ layer, name, key }: KnownKey): Key => layers[layer]?.keys[name] ?? key;
  const ordered = [...known.filter(isDone), ...known.filter((one) => !isDone(one))];
  // The topmost layer that carries a key out has it; where none does, the topmost reason is told.
  const owners = new Map<string, KnownKey>();
  for (const one of ordered) for (const name of keyOf(one).keys) if (!owners.has(name)) owners.set(name, one);
  const entriesOf = (some: readonly KnownKey[]) =>
    some.flatMap((one): HelpEntry[] => {
      const keys = keyOf(one).keys.filter((name) => owners.get(name) === one);
      return keys.length > 0 ? [{ keys, help: one.key.help, reason: one.reason }] : [];
    });
  const isMove = ({ name, key }: KnownKey) => moves[name]?.help === key.help;
  const [moving, others] = [true, false].map((is) => ordered.filter((one) => isMove(one) === is));
  const parted = Map.groupBy(others ?? [], ({ layer }): string => (layer === 'everywhere' ? 'Everywhere' : 'Here'));
  const named = Map.groupBy(others ?? [], (one) => (keyOf(one).keys.length === 0 ? one.key.help : ''));
  const byName = [...named].flatMap(([help, [one]]) => (help ? { keys: [':'], help, reason: one?.reason } : []));
  // Layers share what moves a cursor.
  const printed = new Set<Key>(known.map(keyOf));
  const rest = Object.entries(layers).map(([name, { title, keys }]): HelpSection => {
    const more = Object.values(keys).filter((key) => key.keys.length > 0 && !printed.has(key));
    for (const key of more) printed.add(key);
    const entries = name === 'everywhere' ? [] : more.map(({ keys, help }) => ({ keys, help }));
    return { title, entries, isElsewhere: true };
  });
  return [
    ...['Here', 'Everywhere'].map((title) => ({ title, entries: entriesOf(parted.get(title) ?? []) })),
    { title: movesTitle, entries: entriesOf(moving ?? []) },
    { title: namedTitle, entries: byName },
    ...rest,
  ].filter(({ entries }) => entries.length > 0);
}

/** The entries with these words in them or in their heading; a single character is meant as a key. */
export function matchingSections(sections: readonly HelpSection[], typed: string): readonly HelpSection[] {
  const words = typed.trim().split(/\s+/).filter(Boolean);
  const has = ({ keys, help, reason = '' }: HelpEntry, title: string, word: string) =>
    keys.includes(word) ||
    (word.length > 1 && [title, ...keys, help, reason].join(' ').toLowerCase().includes(word.toLowerCase()));
  return sections
    .map((section) => ({
      ...section,
      entries: section.entries.filter((entry) => words.every((word) => has(entry, section.title, word))),
    }))
    .filter(({ entries }) => entries.length > 0);
}

/** From so many cells on there are two columns, and three. */
const twoFrom = 76;
const threeFrom = 150;

const keyCells = 16;

const columnsIn = (width: number): { count: number; room: number } => {
  const count = width >= threeFrom ? 3 : width >= twoFrom ? 2 : 1;
  return { count, room: Math.floor((width - 2 * count) / count) };
};

/**
 * The sections as lines, their keys in columns where there is room. The first page has what moves in one line and tells
 * how many keys there are elsewhere; why a key does nothing now is told where it is searched for.
 */
export function helpLines(
  theme: Theme,
  sections: readonly HelpSection[],
  width: number,
  isFirst: boolean,
): readonly string[] {
  const { count, room } = columnsIn(width);
  const headed = (title: string, lines: readonly string[]) => [theme.paint('accent', ` ${title}`), ...lines];
  const inOne = (parts: readonly string[]) =>
    wrapCells(parts.map((part) => part.replaceAll(' ', unbroken)).join('  '), width - 4).map(
      (line) => `   ${line.replaceAll(unbroken, ' ')}`,
    );
  const lines = sections.flatMap(({ title, entries, isElsewhere }) => {
    if (isFirst && isElsewhere) return [];
    if (isFirst && title === movesTitle)
      return headed(title, inOne(entries.map(({ keys, help }) => `${keys.join(' ')} ${help}`)));
    if (isFirst && title === namedTitle) return headed(title, inOne(entries.map(({ help }) => help)));
    const texts = entries.map((entry) => entryLines(theme, entry, room, !isFirst));
    const height = Math.ceil(texts.length / count);
    const columns = Array.from({ length: count }, (_, nth) => texts.slice(nth * height, (nth + 1) * height).flat());
    return headed(title, besideEachOther(columns, room));
  });
  if (!isFirst) return lines;
  const elsewhere = sections.flatMap((one) => (one.isElsewhere ? [`${one.title} ${one.entries.length}`] : []));
  return [...lines, ...headed('Elsewhere: a name shows its keys, tab shows all', inOne(elsewhere))];
}

const besideEachOther = (columns: readonly (readonly string[])[], room: number): readonly string[] =>
  Array.from({ length: Math.max(...columns.map(({ length }) => length)) }, (_, row) =>
    columns
      .map((column) => column[row] ?? '')
      .map((line) => line + ' '.repeat(Math.max(0, room + 2 - cellsOf(line))))
      .join('')
      .trimEnd(),
  );

function entryLines(
  theme: Theme,
  { keys, help, reason }: HelpEntry,
  room: number,
  withReason: boolean,
): readonly string[] {
  const names = keys.map((name) => (name === 'any' ? 'any other' : name)).join(' ');
  // Long names of keys leave their column; what they do goes below.
  const isLong = widthOf(names) > keyCells;
  const says = reason === undefined || !withReason ? help : `${help} — ${reason.replace(/\.$/, '')}`;
  const lines = wrapCells(says, room - keyCells - 4);
  const role = reason === undefined ? 'plain' : 'dim';
  const shown = theme.paint(reason === undefined ? 'key' : 'dim', cell(names, isLong ? widthOf(names) : keyCells));
  const blank = ' '.repeat(keyCells + 4);
  const told = lines.map(
    (line, index) => `${index === 0 && !isLong ? `   ${shown} ` : blank}${theme.paint(role, line)}`,
  );
  return isLong ? [`   ${shown}`, ...told] : told;
}
