import { bodyOf } from '../../resources/body.ts';
import type { Action, Draft, Params, Resource } from '../../resources/resource.ts';
import { type Done, perform, type Target, targetOf } from '../../store/act.ts';
import type { Deck } from '../../store/deck.ts';
import { idOf } from '../../store/records.ts';
import type { Subject } from '../actions.ts';

/** Everything that is needed to carry an action out. */
export interface Errand {
  resource: Resource;
  action: Action;
  /** The rows it is done to; none where one is made. */
  subjects: readonly Subject[];
  /** The parameters of the list in which one is made. */
  params: Params;
  draft: Draft;
}

/** The requests of an errand, one for each row, or one for what is made. */
export function targetsOf({ resource, action, subjects, params, draft }: Errand): readonly Target[] {
  if (subjects.length === 0)
    return [{ params, label: labelOf(resource, draft), body: bodyOf(resource, action, draft) }];
  return subjects.map(({ row, params: own }) => targetOf(resource, row, own, bodyOf(resource, action, draft, row)));
}

const labelOf = (resource: Resource, draft: Draft) =>
  (typeof draft.label === 'string' && draft.label) || `the new ${resource.one}`;

/**
 * Carries an errand out and says what became of it: a notice when all went well, a list with one line a row when not.
 * Rows on which it failed stay marked.
 */
export async function carryOut(deck: Deck, errand: Errand): Promise<readonly Done[]> {
  const { resource, action, subjects } = errand;
  const able = subjects.filter(({ row }) => !action.refuse?.(row, deck.known));
  const refused = subjects
    .filter((subject) => !able.includes(subject))
    .map(({ row }) => ({ label: resource.label(row), failure: action.refuse?.(row, deck.known) }));
  const targets = subjects.length > 0 && able.length === 0 ? [] : targetsOf({ ...errand, subjects: able });
  const done = await perform(deck, resource, action, targets);
  const failed = done.filter(({ failure }) => failure !== undefined);
  const succeeded = done.filter(({ failure }) => failure === undefined);
  deck.navigation.unmark(
    resource.name,
    succeeded.map(({ target }) => target.params[resource.param] ?? ''),
  );
  const made = subjects.length === 0 ? done[0]?.answer : undefined;
  if (made) deck.navigation.pointAt(resource.name, idOf(resource, made));
  if (failed.length === 0 && refused.length === 0) {
    deck.notices.say('good', successText(action, done));
  } else if (subjects.length > 1) {
    deck.navigation.open({ kind: 'results', title: action.help, outcomes: [...done, ...refused] });
  }
  return done;
}

function successText({ help }: Action, done: readonly Done[]): string {
  const [first] = done;
  const name = first?.answer?.label ?? first?.label;
  return done.length === 1 ? `${help}: ${name}` : `${help}: all ${done.length} done`;
}
