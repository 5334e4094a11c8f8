import { formatValue } from '../../components/format.ts';
import type { Span } from '../../components/spans.ts';
import { resourceNamed, resources } from '../../resources/index.ts';
import { memoize } from '../../resources/memoize.ts';
import {
  filterOfFold,
  isFold,
  type Problem,
  type Rule,
  type Severity,
  sayingOf,
  unfolded,
} from '../../resources/problems/rule.ts';
import type { Resource } from '../../resources/resource.ts';
import { allRules, foldedProblems } from '../../resources/rules/index.ts';
import { countedRows, plural } from '../../resources/wording.ts';
import { cell, clean, widthOf } from '../../text/cells.ts';
import { grouped } from '../../text/numbers.ts';
import { ageText } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import { placeOfProblem } from '../problems/remedies.ts';
import { unexaminedPart } from '../problems/unexamined.ts';
import {
  type HomeData,
  linkToList,
  nameSpan,
  noteLine,
  statusCount,
  type Tile,
  type TileLine,
  unreadText,
} from './tile.ts';

/** No screen has room for more lines of problems. */
const maxProblems = 50;

const severities: readonly Severity[] = ['critical', 'warning', 'notice'];

/** The problems, the worst first, and what was examined. */
export function problemTile(data: HomeData, most = maxProblems): Tile {
  const { problems, acknowledged, examinedAt } = data.problems;
  const tile = { name: 'problems', title: 'Problems', link: problemsLink } as const;
  if (problems.length > 0) {
    const folded = foldedProblems(problems);
    const lines = folded.slice(0, most).map(problemLine);
    const omitted = folded.slice(most).reduce((sum, one) => sum + unfolded(one).length, 0);
    return { ...tile, figures: [...examining(data), ...severityCounts(data)], lines, omitted, note: notExamined(data) };
  }
  if (examinedAt === undefined) {
    const lines = [noteLine('problems:reading', 'Reading the account …')];
    const figures = examining(data);
    return { ...tile, figures: figures.length > 0 ? figures : [{ text: '…', role: 'dim' }], lines };
  }
  if (isUnread(data)) {
    const lines = [noteLine('problems:unread', 'Nothing could be examined.')];
    return { ...tile, figures: [{ text: 'not read', role: 'dim' }], lines, note: notExamined(data) };
  }
  const note = notExamined(data);
  const nothing = `Nothing ${acknowledged.length > 0 ? 'else ' : ''}is wrong`;
  const says = data.isExamining
    ? { text: 'Nothing is found so far.' }
    : note
      ? { text: `${nothing} in what was examined.` }
      : statusCount('ok', `${nothing}.`, data.glyphs);
  const lines = [{ id: 'problems:none', draw: () => [says] }, noteLine('problems:examined', examined(data))];
  return { ...tile, figures: [...examining(data), ...severityCounts(data)], lines, note };
}

/** More may be found, also worse: that goes before the counts. */
const examining = ({ isExamining, examinedPercent }: HomeData): readonly Span[] =>
  isExamining
    ? [{ text: examinedPercent === undefined ? 'examining …' : `examining ${examinedPercent}%`, role: 'dim' }]
    : [];

const problemsLink = linkToList('problems');

const bySeverity = memoize((problems: readonly Problem[]) => Map.groupBy(problems, ({ severity }) => severity));

/** Counts problems by severity, and those acknowledged. */
export function severityCounts({
  problems: { problems, acknowledged, isPartial = false },
  glyphs,
}: Pick<HomeData, 'problems' | 'glyphs'>): readonly Span[] {
  const known: readonly Span[] =
    acknowledged.length > 0 ? [{ text: `${grouped(acknowledged.length)} acknowledged`, role: 'dim' }] : [];
  const open = severities.flatMap((severity) => {
    const count = bySeverity(problems).get(severity)?.length ?? 0;
    if (count === 0) return [];
    const noun = severity === 'critical' || count === 1 ? severity : `${severity}s`;
    return [statusCount(severity, `${grouped(count)}${isPartial ? '+?' : ''} ${noun}`, glyphs)];
  });
  if (isPartial && open.length === 0) return [{ text: '? not known', role: 'warn' }, ...known];
  return [...open, ...known];
}

const severityWidth = 12;
const nounWidth = 20;
const sinceWidth = 8;
/** Narrower lines need all of their room for the sentence. */
const minNounWidth = 96;
/** In wider lines the age stands before the sentence: at the far edge nobody would find what it belongs to. */
const minAgeFirstWidth = 150;

/** A problem: severity, object, sentence and age. */
const problemLine = memoize(
  (problem: Problem): TileLine => ({
    id: `problem:${problem.id}`,
    link: isFold(problem) ? linkToList('problems', filterOfFold(problem)) : { place: placeOfProblem(problem) },
    problem,
    count: unfolded(problem).length,
    draw: (context, isCurrent) => {
      const { theme, now, width } = context;
      const severity = formatValue(problem.severity, 'status', theme);
      const glyph = width >= 72 ? cell(severity.text, severityWidth) : severity.text.slice(0, 2);
      const says = sayingOf(problem);
      const { one } = resourceNamed(problem.resource);
      const [all, short] = width >= minNounWidth ? [cell(one, nounWidth), `${one}  `] : ['', ''];
      const over = (kind: string) => widthOf(glyph + kind + clean(says)) + 2 - width;
      // Under the cursor the sentence takes the room of the age, and of the kind where it is whole by that, before it is cut.
      const isTight = isCurrent && over(all) + sinceWidth > 0;
      const noun = !isTight ? all : over(short) > 0 && over('') <= 0 ? '' : short;
      const isLong = isTight && over(noun) + sinceWidth > 0;
      const age = problem.since === undefined || isLong ? '' : ageText(now - problem.since);
      const isAgeFirst = width >= minAgeFirstWidth;
      const written = isAgeFirst ? `${cell(age, sinceWidth - 2, 'right')}  ` : cell(age, sinceWidth, 'right');
      const since: Span = { text: isLong ? '' : written, role: 'dim' };
      const room = width - 2 - widthOf(glyph) - widthOf(noun) - widthOf(since.text);
      const sentence = sentenceSpans(says, problem.label, room, isCurrent);
      return [
        { text: glyph, role: severity.role },
        { text: noun, role: 'dim' },
        ...(isAgeFirst ? [since, ...sentence] : [...sentence, since]),
      ];
    },
  }),
);

/** The titles of what a problem's line has, above lines of this width. */
export function problemTitles(width: number): string {
  const severity = width >= 72 ? cell('SEVERITY', severityWidth) : '  ';
  const noun = width >= minNounWidth ? cell('WHAT', nounWidth) : '';
  const since = cell('SINCE', sinceWidth - 2, 'right');
  const left = `  ${severity}${noun}`;
  if (width >= minAgeFirstWidth) return cell(`${left}${since}  PROBLEM`, width);
  return `${cell(`${left}PROBLEM`, Math.max(0, width - sinceWidth))}${cell('SINCE', sinceWidth, 'right')}`;
}

/** The sentence of a problem in exactly `room` cells, the name of its object highlighted. */
function sentenceSpans(says: string, label: string, room: number, isCurrent: boolean): readonly Span[] {
  const text = cell(says, room);
  const name = clean(label);
  const begin = name === '' ? -1 : text.toLowerCase().indexOf(name.toLowerCase());
  if (begin < 0) return [nameSpan(text, isCurrent)];
  const end = begin + name.length;
  return [
    { text: text.slice(0, begin) },
    nameSpan(text.slice(begin, end), isCurrent, 'accent'),
    { text: text.slice(end) },
  ];
}

const examinedBy = memoize((rules: readonly Rule[]): readonly Resource[] =>
  resources.filter(({ name }) => rules.some(({ of }) => of === name)),
);

/** Resources with rules, in the order of the list of resources. */
export const examinedResources = (): readonly Resource[] => examinedBy(allRules());

function examined({ view }: HomeData): string {
  const counts = examinedResources()
    .filter(({ list, name }) => list && name !== 'events')
    .map((resource) => ({ resource, count: view.lists(resource.name).reduce((sum, { rows }) => sum + rows.length, 0) }))
    .filter(({ count }) => count > 0)
    .map(({ resource, count }) => countedRows(resource, count));
  return counts.length > 0 ? `Examined: ${counts.join(', ')}.` : 'There is nothing to examine yet.';
}

/** Whether nothing that is examined was ever read: then "nothing is wrong" would be a guess. */
const isUnread = ({ queryState }: HomeData): boolean =>
  examinedResources()
    .filter(({ under }) => under === undefined)
    .every(({ name }) => unreadText(queryState(name)) !== undefined);

/** Names what was not examined, and why; nothing while lists are still to come. */
function notExamined({ unexamined, queryState, view, isLoading }: HomeData): string | undefined {
  if (isLoading) return undefined;
  const unread = Map.groupBy(
    examinedResources().filter(({ under }) => under === undefined),
    ({ name }) => (queryState(name) ? (unreadText(queryState(name)) ?? '') : ''),
  );
  const parts = [
    ...unexamined.map((part) => unexaminedPart(part, view.now)),
    ...['not allowed', 'not read'].flatMap((why) => {
      const names = unread.get(why)?.map(plural) ?? [];
      return names.length > 0 ? [`${listed(names, 4)} (${why})`] : [];
    }),
  ];
  return parts.length > 0 ? `Not examined: ${parts.join('; ')}.` : undefined;
}
