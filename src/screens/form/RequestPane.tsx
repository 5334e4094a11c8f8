import { useState } from 'react';
import { Line } from '../../components/Line.tsx';
import type { Submission } from '../../store/changes/change.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { useKeys } from '../keyboard.tsx';
import { copyText } from '../menus/copies.ts';
import { Pane } from '../Pane.tsx';
import { moveHandlers } from '../useScroll.ts';
import { useAppContext } from '../useStores.ts';
import { curlText, previewLines } from './preview.ts';

interface RequestPaneProps {
  /** The action, as in the title of the form. */
  title: string;
  submission: Submission;
  /** Missing while the confirmation is open, and where it can only be planned. */
  send?: (() => void) | undefined;
  /** Goes back to the form or confirmation. */
  close: () => void;
  width: number;
  height: number;
}

/** The exact request and its curl command, scrollable. */
export function RequestPane({ title, submission, send, close, width, height }: RequestPaneProps) {
  const context = useAppContext();
  const { stores } = context;
  const [wanted, setTop] = useState(0);
  const lines = previewLines(stores, submission, width - 4);
  const body = Math.max(1, height - 1);
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wanted, lowest);
  const curl = curlText(stores, submission);
  const isProgram = submission.action.program !== undefined;
  useKeys('request', {
    send:
      send ??
      (isPlanOnly(stores, submission.action)
        ? `${stores.api.readOnly ? 'Read-only: nothing' : 'The token may not do this: nothing'} is sent; ${keyLabel('request.close', 'esc')} goes back, where ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`
        : `Nothing is sent from here; ${keyLabel('request.close', 'esc')} goes back, ${keyLabel('confirm.agree', 'enter')} confirms.`),
    close,
    copy:
      curl === undefined
        ? `No curl command is the same as ${isProgram ? 'a program' : 'this'}.`
        : () => copyText(context, 'curl command', curl),
    ...moveHandlers(top, lowest + 1, body, setTop),
  });
  const place = lowest === 0 ? '' : `  ${top + 1}–${top + body} of ${lines.length} lines`;
  return (
    <Pane title={`${title}: the ${isProgram ? 'program' : 'request'}${place}`} width={width} height={height}>
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={`  ${line}`} />
      ))}
    </Pane>
  );
}
