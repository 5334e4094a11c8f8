import { dateText, durationText, isTime, timeOf } from '../../text/times.ts';
import { capitalized, textIn, withoutStop } from '../../text/words.ts';
import { actionWords } from '../account/events.ts';
import { idIn, paramsIn } from '../identity.ts';
import { resourceNamed } from '../index.ts';
import { eventsOf } from '../problems/rowIndex.ts';
import type { Problem } from '../problems/rule.ts';
import type { CacheView, Draft, Params, Row } from '../resource.ts';
import { safeRule } from '../safeDescription.ts';
import { statusOf } from '../wording.ts';
import { ruleNamed } from './index.ts';

/** Data that show a problem, besides the row itself. */
export interface ProblemEvidence {
  /** Sentences of its rule. */
  says: readonly string[];
  /** The events about its object or what that lies in, the newest first. */
  events: readonly Row[];
}

/** The evidence of a problem, as far as it is loaded. */
export function evidenceOf(problem: Problem, view: CacheView): ProblemEvidence {
  const { resource, params } = problem;
  const row = view.row(resource, idIn(resourceNamed(resource), params), params);
  const evidence = ruleNamed(problem.rule)?.evidence;
  return {
    says: row && evidence ? safeRule(problem.rule, evidence, [])(row, view, params) : [],
    events: resource === 'events' ? (row ? [row] : []) : eventsAbout(problem, view),
  };
}

/** The lists that show the evidence of a problem, by their resource and parameters. */
export const listsOf = ({ rule, params }: Problem): readonly { resource: string; params: Params }[] =>
  (ruleNamed(rule)?.shows ?? []).map((resource) => ({
    resource,
    params: paramsIn(resourceNamed(resource).list?.path, params),
  }));

function eventsAbout({ resource: name, params }: Problem, view: CacheView): readonly Row[] {
  for (let of: string | undefined = name; of; of = resourceNamed(of).under) {
    const resource = resourceNamed(of);
    const id = idIn(resource, params);
    if (resource.entity !== undefined && id !== undefined) return eventsOf(resource.entity, id, view);
  }
  return [];
}

/** So many of the last events tell what went before. */
const maxEvents = 5;

/** The longest summary that a ticket takes (document 1, 4.4). */
const maxSummary = 64;

/** The time of something in UTC; undefined where it is unknown or cannot be written. */
export const momentOf = (time: number | undefined): string | undefined =>
  isTime(time) ? `${dateText(time)} UTC` : undefined;

/** An event in a few words: `server boot by night-shift failed after 41 s`. */
export function eventWords(event: Row): string {
  const user = textIn(event.username);
  const status = statusOf(event).replaceAll('_', ' ');
  const took = typeof event.duration === 'number' && event.duration > 0 ? durationText(event.duration) : undefined;
  return [
    actionWords(event.action) || 'something',
    user ? ` by ${user}` : '',
    status === 'notification' ? '' : ` ${status}`,
    took ? ` after ${took}` : '',
  ].join('');
}

/** The summary and description of a ticket about a problem: the sentence, the object with its id, times and last events. */
export function ticketText(problem: Problem, view: CacheView): Draft {
  const resource = resourceNamed(problem.resource);
  const { says, events } = evidenceOf(problem, view);
  const id = idIn(resource, problem.params);
  const since = momentOf(problem.since);
  const last = events.slice(0, maxEvents).map((event) => {
    const message = textIn(event.message);
    return `${momentOf(timeOf(event.created)) ?? 'unknown'}  ${eventWords(event)}${message ? `: ${message}` : ''}`;
  });
  const parts = [
    `${withoutStop(problem.says)}.`,
    [
      `${capitalized(resource.one)}: ${problem.label}${id && id !== problem.label ? ` (ID ${id})` : ''}`,
      ...(since ? [`Since: ${since}`] : []),
      `Seen: ${momentOf(view.now)}`,
      ...says,
    ].join('\n'),
    ...(last.length > 0 ? [`Last events:\n${last.join('\n')}`] : []),
  ];
  const { length } = problem.says;
  return {
    summary: length > maxSummary ? `${problem.says.slice(0, maxSummary - 1).trimEnd()}…` : problem.says,
    description: parts.join('\n\n'),
  };
}
