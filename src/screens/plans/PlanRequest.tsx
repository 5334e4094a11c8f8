import { deedOn } from '../../resources/wording.ts';
import { asApiError } from '../../store/cache.ts';
import { numberIn, type PlanStep } from '../../store/plans/plan.ts';
import { withReferences } from '../../store/plans/references.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
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
  const { title, lines, curl } = requestOf(stores, numbered(step, steps));
  return (
    <RequestPane
      {...pane}
      title={`Step ${numberIn(steps, step.id)}: ${title}: the request`}
      lines={lines.flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), pane.width - 4)))}
      curl={curl ?? { why: 'There is no curl command.' }}
      send={`Nothing is sent from here; ${keyLabel('request.close', 'esc')} goes back to the plan, which is carried out as a whole.`}
    />
  );
}

/** A step whose references are numbered as people know the steps. */
const numbered = (step: PlanStep, steps: readonly PlanStep[]): PlanStep => ({
  ...step,
  record: withReferences(step.record, (one) => ({ ...one, $step: numberIn(steps, one.$step) })),
});

function requestOf({ api }: Stores, step: PlanStep): { title: string; lines: readonly string[]; curl?: string } {
  const change = sketchOf(step);
  if ('why' in change) return { title: step.record.label, lines: [change.why] };
  const { resource, action, params, label, body } = change;
  const title = deedOn(resource, action, label);
  try {
    const first = action.first && api.preview(action.first, { params });
    const own = api.preview(action, { params, ...(body !== undefined && { body }) });
    return {
      title,
      lines: [
        ...(first ? [`${first.method} ${first.url}`, ''] : []),
        `${own.method} ${own.url}`,
        ...(own.body ? own.body.split('\n') : []),
        '',
        ...own.curl.split('\n'),
      ],
      curl: [...(first ? [first.curl] : []), own.curl].join('\n'),
    };
  } catch (error) {
    return { title, lines: [asApiError(error).message] };
  }
}
