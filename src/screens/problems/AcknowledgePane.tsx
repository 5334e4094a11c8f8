import { useState } from 'react';
import { useStore } from 'zustand';
import { problems as problemList } from '../../resources/problems/problems.ts';
import { isFold } from '../../resources/problems/rule.ts';
import { foldedProblems } from '../../resources/rules/index.ts';
import type { Expiry } from '../../store/problems/acknowledgements.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { hour } from '../../text/times.ts';
import { Menu } from '../menus/Menu.tsx';
import type { OverlayProps } from '../props.ts';
import { useStores } from '../useStores.ts';
import { problemsSubject } from './useProblemKeys.ts';

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
