import { asApiError } from '../../store/cache.ts';
import type { Submission } from '../../store/changes/change.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import { clean, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { Page } from '../page/Page.tsx';
import type { Size } from '../props.ts';
import { copyText, useAppContext } from '../useStores.ts';
import { type WrittenRequest, writtenRequest } from './preview.ts';

interface RequestPaneProps extends Size {
  /** The change that is sent, as in the title of the form. */
  title: string;
  write: () => WrittenRequest;
  /** Said where no curl command is the same. */
  noCurl: string;
  /** Sends it, or says why nothing is sent from here. */
  send: string | (() => void);
  close: () => void;
}

/** A request as it is sent, and its curl command, without secrets, or the reason why there is none. */
export function RequestPane({ write, noCurl, send, close, ...page }: RequestPaneProps) {
  const context = useAppContext();
  const { lines, curl } = writtenOr(write);
  const shown = lines.flatMap((line) => (line === '' ? [''] : wrapCells(clean(line), page.width - 4)));
  const copy = curl === undefined ? noCurl : () => copyText(context, 'curl command', curl);
  return <Page {...page} layer="request" lines={shown.map((line) => `  ${line}`)} keys={{ send, close, copy }} />;
}

function writtenOr(write: () => WrittenRequest): WrittenRequest {
  try {
    return write();
  } catch (error) {
    return { lines: [asApiError(error).message] };
  }
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
      write={() => writtenRequest(stores, submission)}
      noCurl={`No curl command is the same as ${isProgram ? 'a program' : 'this'}.`}
      send={
        send ??
        (isPlanOnly(stores, submission.action)
          ? `${readOnly} is sent; ${back} goes back, where ${keyLabel('form.plan', 'ctrl-a')} puts it into the plan.`
          : `Nothing is sent from here; ${back} goes back, ${keyLabel('confirm.agree', 'enter')} confirms.`)
      }
    />
  );
}
