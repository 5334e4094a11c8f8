import { openSteps } from '../../store/plans/plans.ts';
import type { Stores } from '../../store/stores.ts';
import { counted } from '../../text/words.ts';
import type { Thing } from './thing.ts';

/** The plan of this account. */
export const planThings = ({ navigation, plans }: Stores): readonly Thing[] => {
  const count = openSteps(plans.getState()).length;
  return [
    {
      id: 'plan',
      label: 'Plan',
      names: ['plan'],
      kind: 'command',
      detail: count === 0 ? 'changes that are collected; ctrl-a in a form adds one' : counted(count, 'step'),
      run: () => {
        navigation.close();
        navigation.open({ kind: 'plan' });
      },
    },
  ];
};
