import { loadRole } from '../../components/heat.ts';
import { fitSpans, painted, type Span, textOfSpans } from '../../components/spans.ts';
import { marksOf, type Role, type Theme } from '../../components/theme.ts';
import { spreadOf } from '../../resources/compute/load.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Severity } from '../../resources/problems/rule.ts';
import { statusOf } from '../../resources/wording.ts';
import { grouped } from '../../text/numbers.ts';
import { counted } from '../../text/words.ts';
import { balancerStates } from '../home/balancersTile.ts';
import { cpuOf, measuredServers } from '../home/computeTiles.ts';
import type { HomeData } from '../home/tile.ts';
import type { Board, BoardContext, WallAccounts } from './board.ts';

const servers = resourceNamed('servers');

/** The dots of digits, three across and five down: a bit each, the upper left one first. */
const digits: Readonly<Record<string, number>> = {
  0: 0b111_101_101_101_111,
  1: 0b010_110_010_010_111,
  2: 0b111_001_111_100_111,
  3: 0b111_001_111_001_111,
  4: 0b101_101_111_001_001,
  5: 0b111_100_111_001_111,
  6: 0b111_100_111_101_111,
  7: 0b111_001_001_001_001,
  8: 0b111_101_111_101_111,
  9: 0b111_101_111_001_111,
  '–': 0b000_000_111_000_000,
  '+': 0b000_010_111_010_000,
};
const [across, down] = [3, 5];

/** A number, the word for it, and of how many it is. */
interface Figure {
  text: string;
  role: Role;
  label: string;
  of: string;
}

/** One character of each number of dots, so many cells wide and so many lines high. */
interface Size {
  wide: number;
  high: number;
}

/** The largest first; the last is for terminals that have no room for squares. */
const sizes: readonly Size[] = [
  { wide: 6, high: 3 },
  { wide: 4, high: 2 },
  { wide: 2, high: 1 },
  { wide: 1, high: 1 },
];

const widthAt = ({ text }: Figure, { wide }: Size): number => text.length * (across + 1) * wide - wide;

/** Five numbers of the account, legible from the other end of a room. */
export const bigBoard: Board = {
  name: 'big',
  title: 'Big',
  // It comes only where it is asked for by name.
  isEmpty: () => true,
  showsAll: true,
  draw: (accounts, context) => ({ lines: drawFigures(figuresOf(accounts, context.isPartial === true), context) }),
};

function figuresOf(accounts: WallAccounts, isPartial: boolean): readonly Figure[] {
  const all = accounts.map(({ data }) => data);
  const isExamined = all.every(({ problems, isExamining }) => problems.examinedAt !== undefined && !isExamining);
  const problems = all.flatMap(({ problems }) => problems.problems);
  const found = (severity: Severity, label: string, role: Role): Figure => {
    const count = problems.filter((one) => one.severity === severity).length;
    const of = isPartial ? notAll : isExamined ? '' : 'examining …';
    return wanting(count, isExamined && !isPartial, { role, label, of });
  };
  return [
    found('critical', 'critical', 'bad'),
    found('warning', 'warnings', 'warn'),
    serversDown(all, isPartial),
    nodesDown(all, isPartial),
    busiest(all),
  ];
}

const notAll = 'not of all accounts';

const unread = (label: string): Figure => ({ text: '–', role: 'dim', label, of: 'not read' });

/** A count that should be none. Where not all is known there may be more, so that none is not said too early. */
function wanting(count: number, isWhole: boolean, { role, ...words }: Omit<Figure, 'text'>): Figure {
  if (!isWhole && count === 0) return { text: '–', role: 'dim', ...words };
  return { text: `${count}${isWhole ? '' : '+'}`, role: count > 0 ? role : 'good', ...words };
}

/** Whether the lists of a resource were read in all of the accounts, and in any. */
function readIn(all: readonly HomeData[], resource: string): { whole: boolean; any: boolean } {
  const isRead = ({ queryState }: HomeData) => queryState(resource)?.loadedAt !== undefined;
  return { whole: all.every(isRead), any: all.some(isRead) };
}

function serversDown(all: readonly HomeData[], isPartial: boolean): Figure {
  const label = 'not running';
  const { whole, any } = readIn(all, servers.name);
  if (!any) return unread(label);
  const rows = all.flatMap(({ view }) => view.rows(servers.name));
  const count = rows.filter((row) => statusOf(row) !== 'running').length;
  return wanting(count, whole && !isPartial, { role: 'warn', label, of: `of ${counted(rows.length, 'server')}` });
}

function nodesDown(all: readonly HomeData[], isPartial: boolean): Figure {
  const label = 'nodes down';
  const states = all.flatMap(({ view }) => balancerStates(view.rows('nodebalancers'), view));
  const read = states.flatMap(({ nodes }) => nodes ?? []);
  const { whole, any } = readIn(all, 'nodebalancers');
  if (read.length === 0 && (states.length > 0 || !any)) return unread(label);
  const [down, up] = [read.reduce((sum, one) => sum + one.down, 0), read.reduce((sum, one) => sum + one.up, 0)];
  const part = read.length < states.length ? `, ${read.length} of ${states.length} NodeBalancers read` : '';
  const isWhole = whole && !isPartial && part === '';
  return wanting(down, isWhole, { role: 'bad', label, of: `of ${grouped(up + down)}${part}` });
}

/** The load that one server in twenty exceeds. */
function busiest(all: readonly HomeData[]): Figure {
  const label = 'CPU %, p95';
  const measured = all.flatMap((data) => cpuOf(measuredServers(data)));
  const p95 = spreadOf(measured)?.p95;
  if (p95 === undefined) return { ...unread(label), of: 'not measured' };
  const count = all.reduce((sum, { view }) => sum + view.rows(servers.name).length, 0);
  const of = `${grouped(measured.length)} of ${grouped(count)} measured`;
  return { text: String(Math.round(p95)), role: loadRole(p95), label, of };
}

const margin = 2;
/** The lines of words below the digits: one where two have no room. */
const wordLines = [2, 1];

/** Draws the figures in the largest digits that have room, in a grid over the whole board. */
function drawFigures(figures: readonly Figure[], context: BoardContext): readonly string[] {
  const { theme, width, height } = context;
  const grids = sizes.flatMap((size) =>
    wordLines.flatMap((words) => [3, 5, 2, 1].map((columns) => ({ size, columns, each: down * size.high + words }))),
  );
  const fits = ({ size, columns, each }: (typeof grids)[number]) =>
    Math.ceil(figures.length / columns) * each <= height &&
    figures.every((figure) => widthAt(figure, size) + margin <= Math.floor(width / columns));
  const grid = grids.find(fits);
  if (!grid) return figures.map((one) => painted(theme, fitSpans(oneLine(one), width))).slice(0, height);
  const { size, columns, each } = grid;
  const rows = Math.ceil(figures.length / columns);
  const room = Math.floor(width / columns);
  const free = Math.floor((height - rows * each) / (rows + 1));
  const blank = Array.from({ length: free }, () => ' '.repeat(width));
  return Array.from({ length: rows }).flatMap((_, row) => {
    const drawn = figures
      .slice(row * columns, (row + 1) * columns)
      .map((figure) => figureLines(figure, size, each, room - margin, theme));
    const lines = Array.from({ length: each }, (_, nth) =>
      fitSpans(
        drawn.flatMap((all) => fitSpans([{ text: ' '.repeat(margin) }, ...(all[nth] ?? [])], room)),
        width,
      ),
    );
    return [...blank, ...lines.map((spans) => painted(theme, spans))];
  });
}

const oneLine = ({ text, role, label, of }: Figure): readonly Span[] => [
  { text: `  ${text} `, role },
  { text: `${label}  ` },
  { text: of, role: 'dim' },
];

/** A number in dots, then its words; beside each other they are whole, or the first alone. */
function figureLines(
  { text, role, label, of }: Figure,
  { wide, high }: Size,
  each: number,
  room: number,
  theme: Theme,
): readonly (readonly Span[])[] {
  const dot = theme.glyphs === 'ascii' ? '#' : '█';
  const line = (row: number) =>
    [...text]
      .map((character) => {
        const bits = (digits[character] ?? 0) >> (across * (down - 1 - row));
        return [4, 2, 1].map((bit) => (bits & bit ? dot : ' ').repeat(wide)).join('');
      })
      .join(' '.repeat(wide));
  const dots = Array.from({ length: down * high }, (_, nth) => [{ text: line(Math.floor(nth / high)), role }]);
  const words: readonly Span[] = [
    { text: `${role === 'bad' ? `${marksOf(theme).bad} ` : role === 'warn' ? '! ' : ''}${label}`, role: 'title' },
    { text: of, role: 'dim' },
  ];
  const isOne = each === dots.length + 1;
  const isLong = textOfSpans(words).length >= room;
  const beside = isLong ? words.slice(0, 1) : words.flatMap((word) => [word, { text: ' ' }]);
  return [...dots, ...(isOne ? [beside] : words.map((word) => [word]))];
}
