import { ApiError } from '../api/error.ts';
import { resourceNamed } from '../resources/index.ts';
import type { Action, Params, Resource, Row } from '../resources/resource.ts';
import type { Deck } from './deck.ts';
import type { Outcome } from './navigation.ts';
import { idOf, paramsOf } from './records.ts';

/** One row, or the place of one that is made, on which an action is carried out. */
export interface Target {
  params: Params;
  /** How it is called in the outcome. */
  label: string;
  body?: unknown;
}

/** What became of one target: the answer, or why there is none. */
export interface Done extends Outcome {
  target: Target;
  answer?: Row;
  error?: ApiError;
}

/** How many changes are under way at once. */
const atOnce = 4;

/** The target of an action on this row. */
export const targetOf = (resource: Resource, row: Row, params: Params, body?: unknown): Target => ({
  params: { ...params, ...paramsOf(resource, row) },
  label: resource.label(row),
  body,
});

/** Carries an action out on every target, a few at a time; never rejects for what the API refuses. */
export async function perform(
  deck: Deck,
  resource: Resource,
  action: Action,
  targets: readonly Target[],
): Promise<readonly Done[]> {
  const done: Done[] = [];
  const queue = [...targets.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, target] = next;
      done[index] = await performOne(deck, resource, action, target);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, targets.length) }, worker));
  for (const name of [resource.name, ...(action.touches ?? [])]) {
    const { view } = resourceNamed(name);
    if (name !== resource.name || !view) deck.refresher.invalidate((_question, rowsOf) => rowsOf === name);
  }
  void deck.events.poll();
  return done;
}

async function performOne(deck: Deck, resource: Resource, action: Action, target: Target): Promise<Done> {
  const { params, label, body } = target;
  try {
    const { body: answer } = await deck.api.send(action, { params, body });
    takeIn(deck, resource, action, params, answer as Row);
    return { target, label, answer: answer as Row };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 403) deck.session.noteRefusal(`${resource.name}.${action.name}`, error.message);
    if (error.status === 404 && params[resource.param]) deck.records.dropRow(resource, params);
    if (error.maybeSent) void deck.records.readRow(resource, params);
    return { target, label, failure: error.message, error };
  }
}

/** Brings what is loaded in line with a change that succeeded. */
function takeIn(deck: Deck, resource: Resource, action: Action, params: Params, answer: Row): void {
  if (action.method === 'DELETE') {
    deck.records.dropRow(resource, params);
    return;
  }
  const id = params[resource.param];
  const isRow = answer && typeof answer === 'object' && resource.id in answer;
  if (isRow && (id === undefined || idOf(resource, answer) === id || action.name === 'clone')) {
    deck.records.putRow(resource, paramsOf(resource, answer, params), answer);
  } else if (id !== undefined) {
    void deck.records.readRow(resource, params);
  }
}
