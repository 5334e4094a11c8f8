import type { Submission } from '../../store/changes/change.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { copyText } from '../page/copyText.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { useAppContext } from '../useStores.ts';
import { curlText, previewLines } from './preview.ts';

interface RequestPaneProps extends Size {
  /** The change that is sent, as in the title of the form. */
  title: string;
  lines: readonly string[];
  /** The command that is the same, or why there is none. */
  curl: string | { why: string };
  /** Sends it, or says why nothing is sent from here. */
  send: string | (() => void);
  close: () => void;
}

/** A request as it is sent, and its curl command. */
export function RequestPane({ lines, curl, send, close, ...page }: RequestPaneProps) {
  const context = useAppContext();
  const copy = typeof curl === 'string' ? () => copyText(context, 'curl command', curl) : curl.why;
  return <Page {...page} layer="request" lines={lines.map((line) => `  ${line}`)} keys={{ send, close, copy }} />;
}

interface SubmissionRequestProps extends Size {
  title: string;
  submission: Submission;
  /** Missing while the confirmation is open, and where it can only be planned. */
  send?: (() => void) | undefined;
  /** Goes back to the form or confirmation. */
  close: () => void;
}

/** The exact request of a form or confirmation. */
export function SubmissionRequest({ title, submission, send, ...pane }: SubmissionRequestProps) {
  const { stores } = useAppContext();
  const isProgram = submission.action.program !== undefined;
  const back = keyLabel('request.close', 'esc');
  const readOnly = stores.api.readOnly ? 'Read-only: nothing' : 'The token may not do this: nothing';
  return (
    <RequestPane
      {...pane}
      title={`${title}: the ${isProgram ? 'program' : 'request'}`}
      lines={previewLines(stores, submission, pane.width - 4)}
      curl={
        curlText(stores, submission) ?? { why: `No curl command is the same as ${isProgram ? 'a program' : 'this'}.` }
      }
      send={
        send ??
        (isPlanOnly(stores, submission.action)
          ? `${readOnly} is sent; ${back} goes back, where ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`
          : `Nothing is sent from here; ${back} goes back, ${keyLabel('confirm.agree', 'enter')} confirms.`)
      }
    />
  );
}
