import { setImmediate } from 'node:timers/promises';
import type { Api } from '../api/client.ts';
import { ApiError } from '../api/error.ts';
import { paramsOf } from '../resources/identity.ts';
import { isSingle, resourceNamed } from '../resources/index.ts';
import { byUrgency, problemsBy } from '../resources/problems/problem.ts';
import type { Problem, Rule } from '../resources/problems/rule.ts';
import type { CacheView, Resource, Row } from '../resources/resource.ts';
import { unexaminedWords } from '../screens/problems/unexamined.ts';
import { isWhole } from '../store/entries.ts';
import { createPoller } from '../store/events.ts';
import { isWithoutReadings } from '../store/fleet.ts';
import { keyOf, operationOf, type Question, viewOf } from '../store/questions.ts';
import { type Collection, createRecords } from '../store/records.ts';
import { createSurvey, type Unexamined } from '../store/survey.ts';
import { createVersions } from '../store/versions.ts';
import { createView } from '../store/view.ts';
import { capitalized } from '../text/words.ts';

/** The findings of the rules, and the rows that were too many to be looked at. */
export interface ProblemReport {
  /** Those that nobody has acknowledged, the most urgent first. */
  problems: readonly Problem[];
  unexamined: readonly Unexamined[];
}

/** Reads everything once, keeps it, and says what could not be read. */
export interface SnapshotReader {
  /** The data that was read, as rules see it. */
  cache: CacheView;
  /** The list of an area, as far as it could be read; undefined where nothing of it could. */
  list(resource: Resource): Promise<readonly Row[] | undefined>;
  /** One row, or what there is only one of; undefined where it could not be read. */
  view(resource: Resource, params: Question['params']): Promise<Row | undefined>;
  /** Reads the newest events, one page, into the cache; undefined where they could not be read. */
  newestEvents(): Promise<readonly Row[] | undefined>;
  /** The answers of a further operation about rows; a row has none where there is nothing to tell yet or it could not be read. */
  answers(resource: Resource, operation: string, rows: readonly Row[]): Promise<ReadonlyMap<Row, Row>>;
  /** Reads what these rules look at, within the limits of the survey, and what they find there. */
  examine(rules: readonly Rule[]): Promise<ProblemReport>;
  /** The lists of resources that were read to their end. */
  completeLists(): ReadonlyMap<string, readonly Row[]>;
  /** Notes what failed elsewhere. Throws what is no error of the API. */
  noteFailure(what: string, error: unknown): void;
  /** One sentence for each part that could not be read. */
  missing(): readonly string[];
}

/** So many questions about single rows are asked or wait to be asked again; the transport sends fewer at once. */
const atOnce = 16;

/**
 * A reader in front of an API.
 * @param now what the rules hold to be the time, in ms since the epoch
 */
export function createSnapshotReader(
  api: Api,
  now: number,
  isAcknowledged: (problem: Problem) => boolean,
): SnapshotReader {
  const records = createRecords(api, Date.now);
  const events = createPoller(api, Date.now, () => {});
  const cache = createView({ records, events, now: () => now });
  const readings = new Map<string, Promise<void>>();
  const missed: string[] = [];
  let polling: Promise<void> | undefined;

  function read(question: Question): Promise<void> {
    const key = keyOf(question);
    const isList = 'pages' in operationOf(question);
    const reading = readings.get(key) ?? (isList ? records.readCollection(question) : records.readAnswer(question));
    readings.set(key, reading);
    return reading;
  }

  async function readAll(questions: readonly Question[]): Promise<void> {
    const queue = questions.values();
    const worker = async () => {
      for (const question of queue) await read(question);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  }

  async function list({ name }: Resource): Promise<readonly Row[] | undefined> {
    const question = { resource: name, operation: 'list', params: {} };
    await read(question);
    const collection = records.getState().collections[keyOf(question)];
    return collection && (isWhole(collection) || collection.rows.length > 0) ? collection.rows : undefined;
  }

  async function view(resource: Resource, params: Question['params']): Promise<Row | undefined> {
    const question = viewOf(resource, params);
    await read(question);
    return records.getState().answers[keyOf(question)]?.body as Row | undefined;
  }

  async function answers(resource: Resource, operation: string, rows: readonly Row[]): Promise<ReadonlyMap<Row, Row>> {
    const questions = rows.map((row) => ({ resource: resource.name, operation, params: paramsOf(resource, row) }));
    const forget = records.hold(questions);
    await readAll(questions);
    const read = records.getState().answers;
    const bodies = rows.map((row, index) => [row, read[keyOf(questions[index] as Question)]?.body] as const);
    forget();
    return new Map(bodies.filter((pair): pair is [Row, Row] => pair[1] !== undefined));
  }

  async function newestEvents(): Promise<readonly Row[] | undefined> {
    polling ??= events.poll();
    await polling;
    const { events: newest, error } = events.getState();
    return error ? undefined : newest;
  }

  async function examine(rules: readonly Rule[]): Promise<ProblemReport> {
    let wanted: readonly Question[] = [];
    const survey = createSurvey({
      rules,
      view: cache,
      records,
      versions: createVersions(records, events),
      refresher: {
        watch: (question) => {
          void read(question);
          return () => {};
        },
      },
      glances: {
        want: (questions) => {
          wanted = questions;
          return records.hold(questions);
        },
      },
    });
    await newestEvents();
    const leave = survey.want();
    let known = -1;
    while (readings.size > known) {
      known = readings.size;
      await Promise.all(readings.values());
      // The survey looks at what has come, and may ask for more.
      await setImmediate();
      if (readings.size > known) continue;
      await readAll(wanted);
      await setImmediate();
    }
    const found = rules.flatMap((rule) => [...problemsBy(rule, cache)].flat());
    const problems = found.filter((problem) => !isAcknowledged(problem)).sort(byUrgency);
    const { unexamined } = survey.getState();
    leave();
    return { problems, unexamined };
  }

  function failures(): readonly Failure[] {
    const { collections, answers } = records.getState();
    return Object.values({ ...answers, ...collections }).flatMap(({ query: question, error, ...entry }) => {
      const isAside = question.operation !== 'view' && isAboutRow(question);
      // A part of a row may go away with it while it is read.
      const isGone = error?.status === 404 && (isAside || operationOf(question).beyond === true);
      return error && !isGone && !isWithoutReadings(error)
        ? [{ question, error, entry: 'rows' in entry ? entry : undefined }]
        : [];
    });
  }

  function missing(): readonly string[] {
    const kinds = Map.groupBy(failures(), ({ question: { resource, operation } }) => `${resource}.${operation}`);
    const { error } = events.getState();
    return [
      ...missed,
      ...(error ? [missingSentence(resourceNamed('events').many, error)] : []),
      ...[...kinds.values()].flatMap(failureSentence),
    ];
  }

  return {
    cache,
    list,
    view,
    answers,
    newestEvents,
    examine,
    completeLists: () => wholeLists(records.getState().collections),
    noteFailure: (what, error) => {
      if (!(error instanceof ApiError)) throw error;
      missed.push(missingSentence(what, error));
    },
    missing,
  };
}

/** Something that could not be read. */
interface Failure {
  question: Question;
  error: ApiError;
  /** The list, which may have been read in part. */
  entry?: Pick<Collection, 'rows' | 'results'>;
}

const isAboutRow = ({ params }: Question): boolean => Object.keys(params).length > 0;

const missingSentence = (what: string, { message }: ApiError, verb = 'are missing'): string =>
  `${what} ${verb}: ${message}`;

/** The sentence for all failures of one kind; the first one's reason speaks for all. */
function failureSentence([first, ...others]: readonly Failure[]): readonly string[] {
  if (!first) return [];
  const { question, error, entry } = first;
  const resource = resourceNamed(question.resource);
  if (isAboutRow(question) && question.operation !== 'view') {
    const part = unexaminedWords({ ...question, count: others.length + 1 });
    return [missingSentence(capitalized(part), error)];
  }
  if (isAboutRow(question) || isSingle(resource)) {
    return [
      missingSentence(isSingle(resource) ? resource.many : capitalized(`the ${resource.one}`), error, 'is missing'),
    ];
  }
  if (!entry?.rows.length) return [missingSentence(resource.many, error)];
  const read = `${entry.rows.length}${entry.results === undefined ? '' : ` of ${entry.results}`}`;
  return [missingSentence(resource.many, error, `are there only in part, ${read}`)];
}

function wholeLists(collections: Readonly<Record<string, Collection>>): ReadonlyMap<string, readonly Row[]> {
  const own = Object.values(collections).filter(
    (collection) => collection.query.operation === 'list' && !isAboutRow(collection.query) && isWhole(collection),
  );
  return new Map(own.map(({ resource, rows }) => [resource, rows]));
}

/** The text that is printed, and the parts that could not be read. */
export interface Snapshot {
  /** Without escape sequences; empty where nothing could be read. */
  text: string;
  /** One sentence for each part that is missing. */
  missing: readonly string[];
  /** The open problems, where they were examined. */
  problems: readonly Problem[];
}
