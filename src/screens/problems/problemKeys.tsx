import { useState } from 'react';
import { useStore } from 'zustand';
import { resourceNamed } from '../../resources/index.ts';
import { problems as problemList } from '../../resources/problems/problems.ts';
import { isFold, type Problem, unfolded } from '../../resources/problems/rule.ts';
import { foldedProblems } from '../../resources/rules/index.ts';
import { targetsAt } from '../../store/changes/change.ts';
import type { Expiry } from '../../store/problems/acknowledgements.ts';
import type { Stores } from '../../store/stores.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { hour } from '../../text/times.ts';
import { actingOn, readOnlyReason } from '../choices.ts';
import { useKeys } from '../keyboard.tsx';
import { Menu } from '../menus/Menu.tsx';
import { type OverlayProps, useStores } from '../useStores.ts';
import { openFold, placeOfObject, remedyFor } from './remedies.ts';

/**
 * The keys for problems: to open the remedy or the object of the one under the cursor, and to acknowledge the chosen ones
 * or undo that; a fold stands for all of its problems.
 * @param isListed among those of other objects, so that the actions on its object are offered as well
 */
export function useProblemKeys(current: Problem | undefined, pointed: readonly Problem[], isListed = false): void {
  const stores = useStores();
  const chosen = pointed.flatMap(unfolded);
  const { acknowledgements, navigation, notices } = stores;

  function acknowledge(): void {
    const known = chosen.filter((problem) => acknowledgements.of(problem));
    const ids = (known.length > 0 ? known : chosen).map(({ id }) => id);
    if (known.length === 0) return void navigation.open({ kind: 'acknowledge', problems: ids });
    acknowledgements.remove(ids);
    navigation.unmark(problemList.name, [...ids, ...pointed.map(({ id }) => id)]);
    notices.say('plain', `${problemsSubject(known)} no longer acknowledged.`);
  }

  const objects = chosen.map(({ resource, params }) => ({ resource: resourceNamed(resource), params }));
  const handlers = {
    remedy: current ? (remedyFor(stores, current) ?? noRemedy(stores, current)) : 'This line is no problem.',
    acknowledge: chosen.length > 0 ? acknowledge : 'This line is no problem.',
    jump: current
      ? () => (isFold(current) ? openFold(stores, current) : navigation.go(placeOfObject(stores, current)))
      : 'This line is no problem.',
    ...(isListed && { actions: chosen.length > 0 ? actingOn(stores, objects) : 'This line is no problem.' }),
  };
  const problem = current && !isFold(current) ? current : undefined;
  useKeys('problems', handlers, { subject: problem && { ...subjectOf(stores, problem), problem } });
}

const noRemedy = ({ api }: Stores, { remedy }: Problem): string =>
  remedy && api.readOnly ? readOnlyReason : 'No key here helps against this problem.';

/** The row that a line is about, as its keys have it. */
export function subjectOf({ view }: Stores, { resource: name, params }: Pick<Problem, 'resource' | 'params'>) {
  const resource = resourceNamed(name);
  return { resource, targets: targetsAt(view, resource, [params]), params };
}

/** Problems as the subject of a sentence: `The problem with web-3 is`, `3 problems are`. */
const problemsSubject = ([first, ...others]: readonly Problem[]): string =>
  others.length > 0 ? `${others.length + 1} problems are` : `The problem with ${first?.label} is`;

const terms: readonly { label: string; term: Expiry; detail?: string }[] = [
  { label: 'for 1 hour', term: hour },
  { label: 'for 8 hours', term: 8 * hour },
  { label: 'for a day', term: 24 * hour },
  { label: 'for a week', term: 7 * 24 * hour },
  { label: 'until it changes', term: 'changed', detail: 'gets better or worse, or begins again' },
  { label: 'for good', term: 'never', detail: 'acknowledging it again undoes that' },
];

/** Asks why problems may stay, and for how long. */
export function AcknowledgePane({ overlay, ...size }: OverlayProps<'acknowledge'>) {
  const { problems, acknowledgements, navigation, notices } = useStores();
  const [reason, setReason] = useState('');
  const open = useStore(problems, (state) => state.problems);
  const ids = new Set(overlay.problems);
  const chosen = open.filter(({ id }) => ids.has(id));

  function acknowledge(term: Expiry, label: string): void {
    acknowledgements.acknowledge(chosen, reason.trim(), term);
    const folds = foldedProblems(open).filter((one) => isFold(one) && one.of.every(({ id }) => ids.has(id)));
    navigation.unmark(problemList.name, [...ids, ...folds.map(({ id }) => id)]);
    navigation.dismiss(overlay);
    notices.say('good', `${problemsSubject(chosen)} acknowledged ${label}.`);
  }

  const [only, ...others] = chosen;
  return (
    <Menu
      title={others.length > 0 ? `Acknowledge ${chosen.length} problems` : 'Acknowledge'}
      note={others.length > 0 ? undefined : only?.says}
      items={
        only
          ? terms.map(({ term, ...item }) => ({ ...item, id: item.label, run: () => acknowledge(term, item.label) }))
          : []
      }
      none={`This is no longer a problem; ${keyLabel('menu.close', 'esc')} goes back.`}
      search={{ query: reason, setQuery: setReason, placeholder: 'why it may stay for now', isNote: true }}
      close={() => navigation.dismiss(overlay)}
      {...size}
    />
  );
}
