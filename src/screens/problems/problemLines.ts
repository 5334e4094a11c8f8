import { formatValue, glyphOf } from '../../components/format.ts';
import { plotGraph } from '../../components/graphPlot.ts';
import { painted } from '../../components/spans.ts';
import { marksOf, type Theme } from '../../components/theme.ts';
import { alertThreshold, statisticsOf } from '../../resources/compute/statistics.ts';
import { resourceNamed } from '../../resources/index.ts';
import type { Acknowledgement } from '../../resources/problems/problems.ts';
import type { Problem } from '../../resources/problems/rule.ts';
import type { Row } from '../../resources/resource.ts';
import { eventWords, momentOf, type ProblemEvidence } from '../../resources/rules/evidence.ts';
import { cell, clean, widthOf, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { ageText, type Timestamp, timeOf } from '../../text/times.ts';
import { capitalized, textIn } from '../../text/words.ts';
import type { Size } from '../useStores.ts';
import type { RemedyChoice } from './remedies.ts';

/** All that the page of a problem shows. */
export interface ProblemParts extends Size {
  theme: Theme;
  now: Timestamp;
  problem: Problem;
  /** When it was noticed to be gone. */
  goneAt?: Timestamp;
  acknowledgement?: Acknowledgement;
  evidence: ProblemEvidence;
  /** The graph of the server's statistics that shows it. */
  graph?: string;
  /** The statistics of the server, once they are read. */
  statistics?: unknown;
  alerts?: unknown;
  choices: readonly RemedyChoice[];
  lacks?: string;
  /** The facts of the row, as lines. */
  facts: readonly string[];
  /** Other problems of the same object. */
  others: readonly Problem[];
}

const severityWidth = 12;

/** The page of a problem as lines: the sentence, the evidence, what helps, and the object. */
export function problemLines(parts: ProblemParts): readonly string[] {
  const { theme, choices, lacks, facts, others, problem, width } = parts;
  const resource = resourceNamed(problem.resource);
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? ['', ` ${theme.paint('title', title)}`, ...lines] : [];
  const aboutOthers = others.flatMap(({ severity, says }) => {
    const { text, role } = formatValue(severity, 'status', theme);
    const mark = cell(text, severityWidth);
    return hanging(ended(says), width - 3, severityWidth).map(
      (line, index) => `   ${index === 0 ? theme.paint(role, mark) + line.trimStart() : line}`,
    );
  });
  return [
    ...headLines(parts),
    ...section('Evidence', evidenceLines(parts)),
    ...section('What to do', [
      ...(lacks ? wrapCells(lacks, width - 4).map((line) => `   ${line}`) : []),
      ...choices.map((choice, index) => choiceLine(theme, choice, index, width)),
      ...keyLines(parts),
    ]),
    ...section(
      clean(`${capitalized(resource.one)} ${problem.label}`).slice(0, Math.max(0, width - 2)),
      facts.map((line) => `   ${line}`),
    ),
    ...section('Also wrong with it', aboutOthers),
  ];
}

/** A sentence as it is, with its full stop. */
const ended = (says: string) => (/[.!?]$/.test(says) ? says : `${says}.`);

/** A text wrapped behind something that takes `indent` cells. */
const hanging = (text: string, width: number, indent: number): readonly string[] =>
  wrapCells(clean(text), Math.max(10, width - indent)).map((line) => ' '.repeat(indent) + line.trimEnd());

/** The severity and the sentence, then the object and since when. */
function headLines({ theme, problem, goneAt, acknowledgement, now, width }: ProblemParts): readonly string[] {
  const { text, role } = formatValue(problem.severity, 'status', theme);
  const { one } = resourceNamed(problem.resource);
  const isGone = goneAt !== undefined;
  const mark = isGone
    ? theme.paint('good', cell(`${marksOf(theme).good} gone`, severityWidth))
    : theme.paint(role, cell(text, severityWidth));
  const says = hanging(ended(problem.says), width - 2, severityWidth).map((line, index) => {
    const said = isGone ? theme.paint('dim', line.trimStart()) : line.trimStart();
    return ` ${index === 0 ? mark : ' '.repeat(severityWidth)}${said}`;
  });
  const { since } = problem;
  const began = since === undefined ? [] : [`since ${momentOf(since)}, ${ageText(now - since)}`];
  const facts = [`${one} ${problem.label}`, ...began];
  const rule = `   rule ${problem.rule}`;
  const whole = facts.join('   ');
  const about = widthOf(clean(whole + rule)) <= width - 2 - severityWidth ? whole + rule : whole;
  const known = acknowledgement
    ? `Acknowledged ${ageText(now - acknowledgement.at)} ago${acknowledgement.reason ? `: ${acknowledgement.reason}` : ''}; ${keyLabel('problems.acknowledge', 'm')} takes it back.`
    : undefined;
  const gone = isGone ? `It is no longer found since ${momentOf(goneAt)}, ${ageText(now - goneAt)}.` : undefined;
  return [
    ...says,
    ...[about, known, gone].flatMap((line) =>
      line === undefined ? [] : hanging(line, width - 2, severityWidth).map((part) => ` ${theme.paint('dim', part)}`),
    ),
  ];
}

const timeWidth = 8;

function evidenceLines(parts: ProblemParts): readonly string[] {
  const { evidence, width, height } = parts;
  return [
    ...graphLines(parts),
    ...evidence.events.slice(0, height >= 50 ? 8 : height >= 30 ? 5 : 3).flatMap((event) => eventLines(parts, event)),
    ...evidence.says.flatMap((line) => hanging(line, width - 2, 3)),
  ];
}

/** An event, and below it its message. */
function eventLines({ theme, now, width }: ProblemParts, event: Row): readonly string[] {
  const { text, role } = formatValue(event.status, 'status', theme);
  const time = timeOf(event.created);
  const age = Number.isFinite(time) ? ageText(now - time) : '';
  const head = `   ${theme.paint(role, cell(glyphOf(text), 2))}${theme.paint('dim', cell(age, timeWidth))}`;
  const indent = 3 + 2 + timeWidth;
  const said = hanging(eventWords(event), width - 2, indent);
  const message = textIn(event.message);
  return [
    ...said.map((line, index) => (index === 0 ? head + line.trimStart() : line)),
    ...(message ? hanging(`"${message}"`, width - 2, indent) : []),
  ];
}

/** The graph of the last day with the alert in it. */
function graphLines({ theme, graph, statistics, alerts, width, height, now }: ProblemParts): readonly string[] {
  if (graph === undefined) return [];
  const group = statisticsOf(statistics, alerts).find(({ name }) => name === graph);
  if (!group || statistics === undefined) return [theme.paint('dim', '   Reading its statistics …')];
  const spec = {
    title: group.name,
    series: group.series,
    unit: group.unit,
    width: Math.min(width - 4, 100),
    height: height >= 30 ? 10 : 7,
    threshold: alertThreshold(group),
    now,
  };
  return plotGraph(spec, theme.glyphs).map((spans) => `   ${painted(theme, spans)}`);
}

/** The keys beside the numbers. */
function keyLines({ theme, problem, goneAt, acknowledgement, width }: ProblemParts): readonly string[] {
  const { one } = resourceNamed(problem.resource);
  const keys = [
    ['o', problem.resource === 'events' ? 'Open its object' : clean(`Open ${one} ${problem.label}`)],
    ...(goneAt === undefined
      ? [['m', acknowledgement ? 'Take the acknowledgement back' : 'Acknowledge it for a while']]
      : []),
  ];
  return keys.map(([key = '', help = '']) => `   ${theme.paint('key', key)}  ${cell(help, width - 7)}`);
}

/** A way out with its number; dim with the reason where it cannot be gone. */
function choiceLine(theme: Theme, { help, refusal }: RemedyChoice, index: number, width: number): string {
  const number = String(index + 1);
  const room = width - 7;
  if (refusal === undefined) return `   ${theme.paint('key', number)}  ${cell(help, room)}`;
  return theme.paint('dim', `   ${number}  ${cell(`${help}: ${refusal}`, room)}`);
}
