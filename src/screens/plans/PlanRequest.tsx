import { deedOn } from '../../resources/wording.ts';
import { numberIn, type PlanStep } from '../../store/plans/plan.ts';
import { withReferences } from '../../store/plans/references.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { writtenChange } from '../form/preview.ts';
import { RequestPane } from '../form/RequestPane.tsx';
import type { Size } from '../props.ts';
import { useStores } from '../useStores.ts';

interface PlanRequestProps extends Size {
  step: PlanStep;
  close: () => void;
}

/** The exact request of a step; references stand for what is not known yet. */
export function PlanRequest({ step, ...pane }: PlanRequestProps) {
  const stores = useStores();
  const { steps } = stores.plans.getState();
  const change = sketchOf(numbered(step, steps));
  const isUnknown = 'why' in change;
  const title = isUnknown ? step.record.label : deedOn(change.resource, change.action, change.label);
  return (
    <RequestPane
      {...pane}
      title={`Step ${numberIn(steps, step.id)}: ${title}: the request`}
      write={() => (isUnknown ? { lines: [change.why] } : writtenChange(stores, change))}
      noCurl="There is no curl command."
      send={`Nothing is sent from here; ${keyLabel('request.close', 'esc')} goes back to the plan, which is carried out as a whole.`}
    />
  );
}

/** A step whose references are numbered as people know the steps. */
const numbered = (step: PlanStep, steps: readonly PlanStep[]): PlanStep => ({
  ...step,
  record: withReferences(step.record, (one) => ({ ...one, $step: numberIn(steps, one.$step) })),
});
