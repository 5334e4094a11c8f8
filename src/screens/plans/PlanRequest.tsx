import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { deedOn } from '../../resources/wording.ts';
import { asApiError } from '../../store/cache.ts';
import { numberIn, type PlanStep } from '../../store/plans/plan.ts';
import { withReferences } from '../../store/plans/references.ts';
import { sketchOf } from '../../store/plans/stepChange.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys } from '../keyboard.tsx';
import { copyText } from '../menus/copies.ts';
import { Pane } from '../Pane.tsx';
import { moveHandlers } from '../useScroll.ts';
import { useAppContext } from '../useStores.ts';

interface PlanRequestProps {
  step: PlanStep;
  close: () => void;
  width: number;
  height: number;
}

/** The exact request of a step and its curl command, scrollable; references stand for what is not known yet. */
export function PlanRequest({ step, close, width, height }: PlanRequestProps) {
  const context = useAppContext();
  const [wanted, setTop] = useState(0);
  const { steps } = context.stores.plans.getState();
  const { title, lines: all, curl } = requestOf(context.stores, numbered(step, steps));
  const lines = all.flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), width - 4)));
  const body = Math.max(1, height - 1);
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  useKeys('request', {
    send: `Nothing is sent from here; ${keyLabel('request.close', 'esc')} goes back to the plan, which is carried out as a whole.`,
    close,
    copy: curl === undefined ? 'There is no curl command.' : () => copyText(context, 'curl command', curl),
    ...moveHandlers(top, lowest + 1, body, setTop),
  });
  const place = lowest === 0 ? '' : `  ${top + 1}–${top + body} of ${lines.length} lines`;
  return (
    <Pane title={`Step ${numberIn(steps, step.id)}: ${title}: the request${place}`} width={width} height={height}>
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={`  ${line}`} />
      ))}
    </Pane>
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
