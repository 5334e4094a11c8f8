import { useMemo, useRef, useState } from 'react';
import { Line } from '../../components/Line.tsx';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import { actionOn, plural } from '../../resources/wording.ts';
import type { Submission, Target } from '../../store/changes/change.ts';
import { subjectsOf } from '../../store/guards/subjects.ts';
import type { TakesBack } from '../../store/navigation.ts';
import { isPlanOnly, planObjection, planOnlySays, whyNotPlanned } from '../../store/plans/planning.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { useKeys } from '../keyboard.tsx';
import { Pane } from '../Pane.tsx';
import { phraseObjection, unseenObjection } from '../question/objections.ts';
import { TypedPhrase } from '../question/TypedPhrase.tsx';
import { outlookOf } from '../undo/outlook.ts';
import { moveHandlers } from '../useScroll.ts';
import { useStores } from '../useStores.ts';
import {
  type Confirmation,
  confirmationOf,
  confirmPhrase,
  isIdOf,
  type Partition,
  skippedSummary,
  skipReason,
  targetKey,
} from './confirmation.ts';
import { confirmTable } from './confirmTable.ts';
import { costLines } from './costLines.ts';
import { differingWords } from './editLines.ts';
import { changePreview } from './preview.ts';
import { SubmissionRequest } from './RequestPane.tsx';
import { usePartition } from './usePartition.ts';

interface ConfirmPaneProps {
  submission: Submission;
  takesBack?: TakesBack | undefined;
  width: number;
  height: number;
  /** Called with the rows that were shown, and whether their label was typed; nothing else may be sent. */
  confirm: (included: readonly Target[], isTyped: boolean) => void;
  /** Puts it into the plan instead. */
  plan?: (included: readonly Target[]) => void;
  cancel: () => void;
}

/** Asks for confirmation before something is sent: the effect, the exact rows, and the loss. */
export function ConfirmPane({ submission: given, takesBack, width, height, confirm, plan, cancel }: ConfirmPaneProps) {
  const stores = useStores();
  const theme = useTheme();
  const { included, skipped, chosen } = usePartition(given);
  const submission = useMemo((): Submission => ({ ...given, targets: included }), [given, included]);
  const { resource, action } = submission;
  const isMany = chosen > 1;
  const [typed, setTyped] = useState('');
  const [isPreview, setPreview] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [wantedTop, setTop] = useState(0);
  const [complaint, setComplaint] = useState('');

  const nothing = chosen > 0 && included.length === 0;
  const confirmation = useMemo(
    () => (nothing ? noTargetsLeft : confirmationOf(submission, stores.view)),
    [submission, nothing, stores],
  );
  const guarded = useMemo(
    () => (nothing ? [] : stores.guards.asks(() => subjectsOf(submission, stores.view))),
    [submission, nothing, stores],
  );
  const isPlanned = isPlanOnly(stores, action);
  const isCritical = stores.settings.critical && !action.harmless;
  // The label is typed when the plan is carried out.
  const isTyped = !nothing && !isPlanned && (Boolean(askOf(action).typeLabel) || isCritical || guarded.length > 0);
  const phrase = isTyped ? confirmPhrase(resource, included, width) : undefined;
  const room = width - 4;
  // With many rows this takes too long to repeat on every key.
  const table = useMemo(
    () => (isMany && submission.targets.length > 0 ? confirmTable(submission, stores.view, theme, room) : undefined),
    [isMany, submission, stores, theme, room],
  );
  const sent = nothing ? [] : changePreview(stores, submission, theme, room);
  const outlook = useMemo(
    () => (nothing ? undefined : outlookOf(submission, stores, confirmation.sentences)),
    [submission, nothing, stores, confirmation],
  );
  const parts: BodyParts = {
    theme,
    confirmation,
    guarded,
    skipped,
    isOpen: nothing ? undefined : isOpen,
    room,
    table,
    sent,
    after: takesBack ? differingWords(takesBack) : '',
    outlook: '',
  };
  const total = table && [counted(included.length, resource.one), ...table.totals].join('   ');
  const said = complaint === '' ? [] : wrapCells(clean(complaint), room);
  const cost = nothing ? [] : costLines(theme, submission, stores.view, room);
  const foot = 1 + cost.length + (total ? 1 : 0) + (phrase === undefined ? 0 : 1) + said.length;
  // If not everything fits, one line says how much is above and below.
  const whole = Math.max(1, height - 1 - foot);
  const bare = bodyLines(parts);
  const told = outlook ? bodyLines({ ...parts, outlook: outlook.says }) : bare;
  // That it can be taken back must not keep what is asked from being seen at once.
  const lines = told.length > whole && bare.length <= whole && !outlook?.isFinal ? bare : told;
  const body = lines.length > whole ? Math.max(1, whole - 1) : whole;
  const lowest = Math.max(0, lines.length - body);
  const top = Math.min(wantedTop, lowest);
  const below = lowest - top;
  const isSeen = useSeen(included.map(targetKey).join(' '), below === 0);

  /** Why it cannot be sent yet, as a sentence; empty if it can. */
  function objection(): string {
    return phraseObjection(phrase, typed) || (isSeen ? '' : unseenObjection(below));
  }

  /** The message for a key that does nothing here. */
  function wayOut(): string {
    if (nothing) return `No row is left to do this to; ${keyLabel('confirm.cancel', 'esc')} closes it.`;
    if (isPlanned) return planOnlySays(stores, action);
    if (phrase !== undefined)
      return `Type ${phrase} and press ${keyLabel('confirm.agree', 'enter')}, or press ${keyLabel('confirm.cancel', 'esc')} to cancel.`;
    return `Press ${keyLabel('confirm.agree', 'enter')} to confirm "${action.help}", or ${keyLabel('confirm.cancel', 'esc')} to cancel.`;
  }

  useKeys(
    'confirm',
    {
      agree:
        nothing || isPlanned
          ? undefined
          : Object.assign(
              () => {
                const why = planObjection(stores, submission) ?? objection();
                if (why === '') confirm(included, phrase !== undefined);
                else setComplaint(why);
              },
              // The footer offers it once it would be done.
              objection() !== '' && { refuses: objection() },
            ),
      cancel,
      plan: nothing
        ? undefined
        : plan
          ? (whyNotPlanned(action) ?? (() => plan(included)))
          : 'It is sent by its dialog; no plan can hold it.',
      preview: nothing ? undefined : () => setPreview(true),
      clear: phrase === undefined ? undefined : () => setTyped(''),
      ...(skipped.length > 0 && !nothing && { skipped: () => setOpen(!isOpen) }),
      ...moveHandlers(top, lowest + 1, body, (line) => {
        setTop(line);
        setComplaint('');
      }),
      other: () => setComplaint(wayOut()),
    },
    {
      typing: phrase !== undefined,
      onPaste: (text) => phrase !== undefined && setTyped(text.trim()),
      lead: isPlanned ? 'plan' : undefined,
    },
  );
  const asked = isMany ? actionOn(action, `${included.length} of ${chosen} ${plural(resource)}`) : `${action.help}?`;
  const title = takesBack ? `Take back: ${asked}` : asked;
  if (isPreview && !nothing)
    return (
      <SubmissionRequest
        title={title.replace(/\?$/, '')}
        submission={submission}
        close={() => setPreview(false)}
        width={width}
        height={height}
      />
    );

  const agrees = isPlanned
    ? `${theme.paint('key', keyLabel('confirm.plan', 'ctrl-a'))} plan`
    : isSeen
      ? `${theme.paint('key', keyLabel('confirm.agree', 'enter'))} ${isMany ? 'do it' : action.help.toLowerCase()}`
      : `${theme.paint('key', keyLabel('confirm.pageDown', 'pagedown'))} the rest first`;
  const leave = `${theme.paint('key', keyLabel('confirm.cancel', 'esc'))} cancel`;
  const bar = confirmation.isDanger ? theme.paint('bad', marksOf(theme).bar) : ' ';
  const change = (text: string) => {
    setTyped(text);
    setComplaint('');
  };
  return (
    <Pane title={title} width={width} height={height} isDanger={confirmation.isDanger}>
      {lines.slice(top, top + body).map((line, index) => (
        <Line key={index} text={`${bar} ${line}`} />
      ))}
      {lines.length < whole ? <Line text={bar} /> : null}
      {lowest > 0 ? <Line text={`${bar} ${theme.paint('dim', cut(moreWords(theme, top, below), room))}`} /> : null}
      {total ? <Line text={`${bar} ${theme.paint('title', cut(clean(total), room))}`} /> : null}
      {cost.map((line, index) => (
        <Line key={`cost ${index}`} text={`${bar} ${line}`} />
      ))}
      {said.map((line, index) => (
        <Line key={`said ${index}`} text={`${bar} ${theme.paint('warn', line)}`} />
      ))}
      {phrase === undefined ? (
        <Line text={`${bar} ${nothing ? '' : `${agrees}   `}${leave}`} />
      ) : (
        <TypedPhrase
          phrase={phrase}
          explains={isIdOf(phrase, resource, included) ? ', its id,' : ''}
          typed={typed}
          change={change}
          bar={bar}
          width={width}
        />
      )}
    </Pane>
  );
}

/** Whether everything about these rows has been on the screen; starts again when the rows change. */
function useSeen(rows: string, isAtEnd: boolean): boolean {
  const seen = useRef<string>(undefined);
  if (isAtEnd) seen.current = rows;
  return seen.current === rows;
}

/** Shown when every chosen row is gone or refuses the action. */
const noTargetsLeft: Confirmation = { sentences: ['No row is left to do this to.'], isDanger: false };

interface BodyParts {
  theme: Theme;
  confirmation: Confirmation;
  /** Why guards ask for the label. */
  guarded: readonly string[];
  skipped: Partition['skipped'];
  /** Whether each skipped row is listed with its reason; undefined if no row is left, when they are always listed. */
  isOpen: boolean | undefined;
  room: number;
  table: { head: string; lines: readonly string[] } | undefined;
  sent: readonly string[];
  /** A sentence about what is not as before then. */
  after: string;
  /** Whether it can be taken back. */
  outlook: string;
}

/** All lines: the sentences, the request, the skipped rows, and the table of those included. */
function bodyLines({
  theme,
  confirmation,
  guarded,
  skipped,
  isOpen,
  room,
  table,
  sent,
  after,
  outlook,
}: BodyParts): readonly string[] {
  const wrapped = (text: string, indent = 0) => wrapCells(clean(text), room, indent);
  const sentences = confirmation.sentences.flatMap((sentence) => wrapped(sentence));
  const isFolding = skipped.length > 0 && isOpen !== undefined;
  const folded = isFolding ? wrapped(`${skippedSummary(skipped)}   tab ${isOpen ? 'hides' : 'shows'} each`) : [];
  const reasons = isOpen !== false ? skipped.flatMap((one) => wrapped(`  ${skipReason(one)}`, 4)) : [];
  return [
    ...sentences.map((line) => (confirmation.isDanger ? theme.paint('bad', line) : line)),
    ...guarded.flatMap((reason) => wrapped(reason)).map((line) => theme.paint('warn', line)),
    ...sent,
    ...(after === '' ? [] : wrapped(after)).map((line) => theme.paint('warn', line)),
    ...(outlook === '' ? [] : wrapped(outlook)).map((line) => theme.paint('dim', line)),
    ...folded.map((line) => theme.paint('warn', line)),
    ...reasons.map((line) => theme.paint('dim', line)),
    ...(table ? [table.head, ...table.lines] : []),
  ];
}

const moreWords = (theme: Theme, above: number, below: number) => {
  const { up, down } = marksOf(theme);
  return [below > 0 ? `${down} ${below} more below: pagedown, end` : '', above > 0 ? `${up} ${above} above` : '']
    .filter(Boolean)
    .join('   ');
};
