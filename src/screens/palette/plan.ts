import { openSteps } from '../../store/plans/plan.ts';
import { planReplacement, whyNotReplaced } from '../../store/plans/replaceTarget.ts';
import type { Stores } from '../../store/stores.ts';
import { counted } from '../../text/words.ts';
import type { Thing } from './match.ts';

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
      run: () => navigation.open({ kind: 'plan' }),
    },
    {
      id: 'replace',
      label: 'Replace a target in the records of all domains',
      names: ['replace'],
      kind: 'command',
      refusal: 'type it whole: replace 192.0.2.10 by 198.51.100.7',
      run: () => {},
    },
  ];
};

/** The commands `plan save FILE`, `plan open FILE` and `replace TARGET by TARGET` as they are typed; undefined for anything else. */
export function typedPlanThing(stores: Stores, typed: string): Thing | undefined {
  const [, from, to] = /^replace\s+(\S+)\s+(?:by|with)\s+(\S+)$/i.exec(typed.trim()) ?? [];
  if (from !== undefined && to !== undefined) return replaceThing(stores, from, to);
  const [, verb, path] = /^plan\s+(save|open)\s+(\S.*)$/i.exec(typed) ?? [];
  if (verb === undefined || path === undefined) return undefined;
  return verb.toLowerCase() === 'save' ? saveThing(stores, path) : openThing(stores, path);
}

function replaceThing(stores: Stores, from: string, to: string): Thing {
  return {
    id: 'replace target',
    label: `Replace ${from} by ${to} in the records of all domains`,
    kind: 'command',
    detail: 'plans it; nothing is sent by it',
    refusal: whyNotReplaced(from, to),
    run: () => void planReplacement(stores, from, to),
  };
}

function saveThing(stores: Stores, path: string): Thing {
  const count = openSteps(stores.plans.getState()).length;
  return {
    id: 'plan save',
    label: `Save the plan as ${path}`,
    kind: 'command',
    detail: counted(count, 'step'),
    refusal: count === 0 ? 'the plan is empty' : undefined,
    run: () =>
      void import('../../store/plans/planFile.ts').then(({ savePlan }) => savePlan(stores, path, SKYDECK_VERSION)),
  };
}

function openThing(stores: Stores, path: string): Thing {
  const { navigation, plans } = stores;
  const count = openSteps(plans.getState()).length;
  const instead = count === 0 ? '' : ` in place of the ${counted(count, 'step')} of this one`;
  return {
    id: 'plan open',
    label: `Open the plan ${path}${instead}`,
    kind: 'command',
    detail: 'nothing is sent by it',
    run: () => {
      const isHere = navigation.here();
      void import('../../store/plans/planFile.ts').then(async ({ openPlan }) => {
        if ((await openPlan(stores, path)) && isHere()) navigation.open({ kind: 'plan' });
      });
    },
  };
}
