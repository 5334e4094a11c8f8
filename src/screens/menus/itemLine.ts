import { marksOf, pointerOf, type Role, type Theme } from '../../components/theme.ts';
import { cell, clean, cutMiddle, wholeParts, widthOf, wrapCells } from '../../text/cells.ts';

/** One line of a menu. */
export interface MenuItem {
  id: string;
  label: string;
  /** The indices of the letters of the label that were typed. */
  matched?: readonly number[];
  /** The label is the name of a row; any other says what is done, and is cut last. */
  isName?: true;
  /** A noun, in a column of its own. */
  kind?: string;
  /** Dimmed, beside the label. */
  detail?: string;
  /** In its place a clause, which is told whole under the menu where it is cut. */
  explains?: string;
  /** Cells of the detail to which long labels give way. */
  factCells?: number;
  /** The part of the detail that was typed. */
  matchedDetail?: { from: number; to: number };
  /** The keys that do the same, at the right. */
  key?: string;
  /** A heading, shown beside the first item of each group. */
  group?: string;
  /** A capital letter that chooses it while nothing is typed, empty where none is free; small letters narrow the choice. */
  letter?: string;
  /** Something is lost or stops. */
  isDanger?: boolean;
  /** It is no thing of its own, but tells of some. */
  isDim?: boolean;
  /** Why it cannot be chosen. */
  refusal?: string;
  /** Puts it into the plan, where it is sent at once otherwise. */
  plan?: () => void;
  ticked?: boolean;
  run: () => void;
}

/** Ranks a label by where the typed text, in small letters, stands in it: it begins with it, a word does, or neither. */
export function nameRank({ label }: MenuItem, typed: string): 0 | 1 | 2 {
  const name = label.toLowerCase();
  return name.startsWith(typed) ? 0 : name.includes(` ${typed}`) ? 1 : 2;
}

/** The widths of the columns of a menu, in cells: what its longest texts take. */
type Columns = ReturnType<typeof columnsOf>;

/** Cells for the heading beside an item, where there are any. */
const headingWidth = 12;

/** Longer nouns are cut where not everything has room. */
const maxKind = 14;

/** Measures the items of a menu. */
export function columnsOf(items: readonly MenuItem[]) {
  let [label, kind, key, facts, detail, told] = [0, 0, 0, 0, 0, 0];
  for (const item of items) {
    label = Math.max(label, widthOf(clean(item.label)));
    detail = Math.max(detail, widthOf(clean(item.refusal ?? item.explains ?? item.detail ?? '')));
    // A clause is told whole under the menu: names and nouns need not give way to it.
    told = Math.max(told, widthOf(clean(item.refusal ?? (item.explains ? '' : (item.detail ?? '')))));
    if (item.kind !== undefined) kind = Math.max(kind, widthOf(item.kind));
    if (item.key !== undefined) key = Math.max(key, widthOf(item.key));
    if (item.factCells !== undefined) facts = Math.max(facts, item.factCells);
  }
  return { label, kind, key, facts, detail, told };
}

/** The cells that an item takes beside its label and detail. */
const besideOf = ({ group, letter, ticked }: MenuItem, columns: Columns): number =>
  3 +
  (columns.key > 0 ? columns.key + 3 : 0) +
  (group === undefined ? 0 : headingWidth) +
  (letter === undefined ? 0 : 3) +
  (ticked === undefined ? 0 : 2);

/** The cells in which nothing of these items is cut. */
export const widthOfItems = (items: readonly MenuItem[], columns: Columns): number =>
  Math.max(0, ...items.slice(0, 1).map((item) => besideOf(item, columns))) +
  columns.label +
  (columns.kind > 0 ? columns.kind + 2 : 0) +
  (columns.detail > 0 ? columns.detail + 2 : 0);

/** Cells for the parts of an item. */
function roomOf(item: MenuItem, width: number, columns: Columns): { label: number; kind: number; detail: number } {
  const { refusal, explains, detail } = item;
  const room = width - besideOf(item, columns);
  // The noun goes where there is no room for it and for the name.
  const isWhole = columns.label + columns.kind + columns.told + 4 <= room;
  const noun = isWhole ? columns.kind : Math.min(columns.kind, maxKind);
  const kind = noun > 0 && room - noun - 2 >= minWithKind ? noun + 2 : 0;
  const wanted = Math.min(columns.label, Math.floor((room - kind) * 0.6));
  const says = (refusal ?? explains ?? detail) || (kind > 0 ? '' : undefined);
  const fair = Math.min(Math.max(24, Math.floor(room / 3), wanted), room - kind);
  const fits = columns.label + columns.detail + 2 <= room - kind;
  const label =
    says === undefined
      ? room - kind - (item.key === undefined ? 0 : 2)
      : fits
        ? columns.label
        : columns.facts === 0
          ? Math.min(columns.label, Math.max(fair, room - kind - columns.told - 2))
          : Math.min(fair, Math.max(minLabel, room - kind - columns.facts - 2));
  const whole = item.isName || columns.facts > 0 ? 0 : Math.min(widthOf(clean(item.label)), room - 2);
  const left = whole + kind + 2 > room ? 0 : kind;
  if (whole > label) return { label: whole, kind: left, detail: room - whole - left - 2 };
  const beside = room - kind - 2;
  // A reason that has room beside its own label begins before those of longer ones.
  const own = beside - widthOf(clean(refusal ?? ''));
  const most = refusal !== undefined && whole > 0 && own >= whole ? Math.min(label, own) : label;
  return { label: most, kind, detail: Math.max(0, beside - most) };
}

const minWithKind = 34;

/** The least cells of a label beside facts that need theirs. */
const minLabel = 18;

/** The rest of an item that its line cuts; where it was tried, why it cannot be chosen. */
export function restLines(
  item: MenuItem,
  { width, columns, isTried }: { width: number; columns: Columns; isTried: boolean },
): readonly string[] {
  const room = roomOf(item, width, columns);
  const [label, says] = [clean(item.label), clean(item.refusal ?? item.explains ?? item.detail ?? '')];
  const cutLabel = widthOf(label) > room.label ? label : '';
  // A clause that lacks its subject is about the item.
  const tried = `${label} ${/^(is|are|lie) /.test(says) ? '' : 'is not possible: '}${says}.`;
  const texts = isTried ? [tried] : [cutLabel, says.slice(firstOf(says, room.detail).length).trimStart()];
  // Columns are not kept where they would wrap.
  return texts.filter((text) => text !== '').flatMap((text) => wrapCells(text.replace(/ {3,}/g, '  '), width - 4));
}

/** As much of a text as its line takes, up to a blank. */
const firstOf = (text: string, room: number): string =>
  widthOf(text) > room ? (wrapCells(text, room)[0] ?? '') : text;

interface ItemPlace {
  current: boolean;
  heading: string;
  width: number;
  columns: Columns;
}

/** An item as one line. */
export function itemLine(
  theme: Theme,
  item: MenuItem,
  { current: isCurrent, heading, width, columns }: ItemPlace,
): string {
  const pointer = pointerOf(theme, isCurrent);
  const beside = item.group === undefined ? '' : theme.paint('dim', cell(heading, headingWidth));
  const tick = item.ticked === undefined ? '' : `${item.ticked ? theme.paint('mark', marksOf(theme).mark) : ' '} `;
  const letter =
    item.letter === undefined ? '' : `${theme.paint(item.isDanger ? 'bad' : 'key', item.letter.padEnd(1))}  `;
  const room = roomOf(item, width, columns);
  const whole = clean(item.refusal ?? item.explains ?? item.detail ?? '');
  // That of the chosen line goes on below it.
  const says = isCurrent ? firstOf(whole, room.detail) : whole;
  const hasMore = says !== '' || item.kind !== undefined || item.key !== undefined;
  const label = cell(cutMiddle(item.label, room.label), room.label);
  const shown = hasMore ? label : label.trimEnd();
  const role = item.refusal ? 'dim' : isCurrent ? 'cursor' : item.isDim ? 'dim' : 'plain';
  const written = withMatches(theme, role, shown, item.label, item.matched ?? []);
  const kind = room.kind > 0 ? theme.paint('dim', `  ${cell(item.kind ?? '', room.kind - 2)}`) : '';
  const part = wholeParts(says, room.detail);
  const cells = item.key === undefined ? part : cell(part, room.detail);
  const { from, to } = item.matchedDetail ?? { from: 0, to: 0 };
  const at = item.refusal ? [] : Array.from({ length: to - from }, (_, nth) => from + nth);
  const detail = hasMore ? `  ${withMatches(theme, item.refusal ? 'warn' : 'dim', cells, says, at)}` : '';
  const key = item.key === undefined ? '' : `  ${theme.paint('key', cell(item.key, columns.key, 'right'))}`;
  return `${pointer} ${beside}${tick}${letter}${written}${kind}${detail}${key}`;
}

/**
 * A text in a role, the letters that were typed standing out.
 * @param shown the text as it is shown, which may be cut or padded
 * @param at indices into the whole text
 */
function withMatches(theme: Theme, role: Role, shown: string, text: string, at: readonly number[]): string {
  if (at.length === 0 || shown === '') return theme.paint(role, shown);
  const start = commonStart(shown, text);
  // A name that is cut in its middle ends as the whole does.
  const cutAway = start < text.length ? text.length - shown.trimEnd().length : 0;
  const matched = new Set(at.flatMap((index) => (index < start ? [index] : cutAway > 0 ? [index - cutAway] : [])));
  for (const index of matched)
    if (index < 0 || (index >= start && text[index + cutAway] !== shown[index])) matched.delete(index);
  let line = '';
  for (let from = 0; from < shown.length; ) {
    const isMatched = matched.has(from);
    let to = from + 1;
    while (to < shown.length && matched.has(to) === isMatched) to++;
    const part = shown.slice(from, to);
    line += theme.paint(role === 'cursor' || !isMatched ? role : 'plain', isMatched ? found(theme, part) : part);
    from = to;
  }
  return line;
}

/** Bold as well as coloured, so that it is seen without colours. */
const found = (theme: Theme, text: string): string => theme.paint('title', theme.paint('accent', text));

function commonStart(one: string, other: string): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  return at;
}
