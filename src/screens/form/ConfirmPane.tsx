import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { type Role, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import type { CacheView, Row } from '../../resources/resource.ts';
import { actionOn, plural } from '../../resources/wording.ts';
import {
  type Agreed,
  changesFor,
  partsOf,
  type Submission,
  type Target,
  type Tempo,
  targetsAt,
} from '../../store/changes/change.ts';
import { maxPrograms } from '../../store/changes/pendingChanges.ts';
import { refusalFor } from '../../store/changes/submit.ts';
import { subjectsOf } from '../../store/guards/subjects.ts';
import type { TakesBack } from '../../store/navigation.ts';
import { isPlanOnly, planObjection, planOnlySays, whyNotPlanned } from '../../store/plans/planning.ts';
import { busy } from '../../store/plans/plans.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted } from '../../text/words.ts';
import { cellsOf } from '../page/Pane.tsx';
import { whereIn } from '../places.ts';
import { answerText, QuestionPane } from '../question/QuestionPane.tsx';
import { useTempo } from '../question/useTempo.ts';
import { backTitle, differingWords, outlookOf } from '../undo/outlook.ts';
import { type Size, useStores } from '../useStores.ts';
import {
  confirmationOf,
  confirmPhrase,
  isIdOf,
  type Partition,
  partitionTargets,
  skippedSummary,
  skipReason,
  targetKey,
} from './confirmation.ts';
import { confirmTable } from './confirmTable.ts';
import { changePreview, costLines, SubmissionRequest } from './preview.tsx';

interface ConfirmPaneProps extends Size {
  submission: Submission;
  takesBack?: TakesBack | undefined;
  /** A sentence that tells which rows these are. */
  about?: string | undefined;
  /** Called with the rows that were shown and the answer; nothing else may be sent. */
  confirm: (included: readonly Target[], agreed: Agreed) => void;
  /** Puts it into the plan instead. */
  plan?: (included: readonly Target[], tempo?: Tempo) => void;
  cancel: () => void;
}

/** Asks for confirmation before something is sent: the effect, the exact rows, and the loss. */
export function ConfirmPane({ submission: given, takesBack, about, confirm, plan, cancel, ...size }: ConfirmPaneProps) {
  const stores = useStores();
  const theme = useTheme();
  const { included, skipped, chosen } = usePartition(given);
  const submission = useMemo((): Submission => ({ ...given, targets: included }), [given, included]);
  const { resource, action } = submission;
  const isMany = chosen > 1;
  const [isPreview, setPreview] = useState(false);
  const [isOpen, setOpen] = useState(false);

  const nothing = chosen > 0 && included.length === 0;
  const confirmation = useMemo(() => {
    if (nothing) return { sentences: ['No row is left to do this to.'], isDanger: false };
    return confirmationOf(submission, stores.view);
  }, [submission, nothing, stores]);
  const guarded = useMemo(
    () => (nothing ? [] : stores.guards.asks(() => subjectsOf(submission, stores.view))),
    [submission, nothing, stores],
  );
  const isPlanned = isPlanOnly(stores, action);
  const isCritical = stores.settings.critical && !action.harmless;
  // The label is typed when the plan is carried out.
  const isTyped = !nothing && !isPlanned && (Boolean(askOf(action).typeLabel) || isCritical || guarded.length > 0);
  const phrase = isTyped ? confirmPhrase(resource, included, size.width) : undefined;
  const room = size.width - 4;
  // With many rows this takes too long to repeat on every key.
  const shown = useMemo(() => partRows(submission, stores.view) ?? submission, [submission, stores]);
  const hasTable = shown !== submission || (isMany && submission.targets.length > 0);
  const table = useMemo(
    () => (hasTable ? confirmTable(shown, stores.view, theme, room) : undefined),
    [hasTable, shown, stores, theme, room],
  );
  const outlook = useMemo(
    () => (nothing ? undefined : outlookOf(submission, stores, confirmation.sentences)),
    [submission, nothing, stores, confirmation],
  );
  const wrapped = (text: string, role?: Role, indent = 0) =>
    wrapCells(clean(text), room, indent).map((line) => theme.paint(role, line));
  const isRolled = plan !== undefined && isMany && whyNotPlanned(action) === undefined;
  const isProgram = isMany && action.program !== undefined && action.program.show !== 'terminal';
  const how = useTempo({
    count: isRolled || isProgram ? included.length : 0,
    acted: included.map(({ row }) => ({ resource, action, row })),
    isProgram,
    of: resource,
    changes: () => changesFor(submission, stores.view).map((change) => ({ change })),
    atOnce: isProgram && included.length > maxPrograms ? `${maxPrograms} at once` : 'all at once',
    room,
  });
  const after = takesBack ? differingWords(takesBack) : '';
  const question = [
    ...(about === undefined ? [] : wrapped(about, 'warn')),
    ...confirmation.sentences.flatMap((text) => wrapped(text, confirmation.isDanger ? 'bad' : undefined)),
    ...guarded.flatMap((why) => wrapped(why, 'warn')),
    ...(nothing || !(isMany || stores.settings.critical)
      ? []
      : changePreview(submission, stores.view, theme, room, confirmation.sentences)),
    ...(after === '' ? [] : wrapped(after, 'warn')),
    ...(isMany || !how.nodes ? [] : wrapped(how.nodes.says, 'warn')),
    ...(how.head.length > 0 ? how.lines : []),
  ];
  const folded = `${skippedSummary(skipped)}   tab ${isOpen ? 'hides' : 'shows'} each`;
  const rows = [
    ...(skipped.length > 0 && !nothing ? wrapped(folded, 'warn') : []),
    ...(isOpen || nothing ? skipped.flatMap((one) => wrapped(`  ${skipReason(one)}`, 'dim', 4)) : []),
    ...(table ? [table.head, ...table.lines] : []),
  ];
  const ways = how.head.length > 0 ? [] : how.lines;
  const bare = [...question, ...rows];
  const told = [...question, ...ways, ...(outlook ? wrapped(outlook.says, 'dim') : []), ...rows];
  const total = table && [counted(shown.targets.length, shown.resource.one), ...table.totals].join('   ');
  const sums = [
    ...(total ? [theme.paint('title', cut(clean(total), room))] : []),
    ...(nothing ? [] : costLines(theme, submission, stores.view, room)),
  ];
  const onOne = sums.join('   ');
  const totals = [...(nothing ? [] : how.head), ...(sums.length > 0 && cellsOf(onOne) <= room ? [onOne] : sums)];

  const answers = isPlanned ? planOnlySays(stores, action) : answerText(phrase, `confirm "${action.help}"`, 'cancel');
  const closes = `No row is left to do this to; ${keyLabel('confirm.cancel', 'esc')} closes it.`;

  const isAway = action.tellsWhere ?? takesBack !== undefined;
  const where = included[0] ? whereIn(stores, resource, included[0].params, isAway) : '';
  const asked = isMany
    ? actionOn(action, `${included.length} of ${chosen} ${plural(resource)}`)
    : `${action.help}${where}?`;
  const title = backTitle(takesBack, asked);
  const agree = (isTyped: boolean) => {
    const isBusy = isRolled && how.tempo?.atATime !== undefined && stores.plans.getState().run !== undefined;
    const why = isBusy ? busy : planObjection(stores, submission);
    if (why === undefined) confirm(included, { isTyped, tempo: how.tempo });
    return why;
  };
  return (
    <QuestionPane
      {...size}
      title={title}
      isDanger={confirmation.isDanger}
      // That it can be taken back, and the usual way, must not keep what is asked from being seen at once.
      lines={(whole) => (told.length > whole && bare.length <= whole && !outlook?.isFinal ? bare : told)}
      about={`${included.map(targetKey).join(' ')} ${how.about}`}
      totals={totals}
      phrase={phrase}
      explains={phrase !== undefined && isIdOf(phrase, resource, included) ? ', its id,' : ''}
      agree={nothing || isPlanned ? undefined : { word: isMany ? 'do it' : action.help.toLowerCase(), run: agree }}
      instead={isPlanned ? 'plan' : undefined}
      wayOut={nothing ? closes : answers}
      keys={
        nothing
          ? {}
          : {
              plan: plan
                ? (whyNotPlanned(action) ?? (() => plan(included, how.tempo)))
                : 'It is sent by its dialog; no plan can hold it.',
              preview: () => setPreview(true),
              ...(skipped.length > 0 && { skipped: () => setOpen(!isOpen) }),
              ...how.keys,
            }
      }
      cancel={cancel}
      over={
        isPreview && !nothing ? (
          <SubmissionRequest
            {...size}
            title={title.replace(/\?$/, '')}
            submission={submission}
            close={() => setPreview(false)}
          />
        ) : undefined
      }
    />
  );
}

/** The parts of an action as rows, as they are to be; undefined where it has none. */
function partRows(submission: Submission, view: CacheView): Submission | undefined {
  const { parts, next } = submission.action;
  const [part] = (parts && next === undefined && partsOf(submission, view)) || [];
  const rows = changesFor(submission, view).map(({ before, body, params }) => ({
    row: { ...before, ...(body as Row) },
    params,
  }));
  return part && ({ ...part, edits: undefined, targets: rows } as Submission);
}

/** Splits the targets as the rows change; only rows that were eligible at first are ever included. */
function usePartition(submission: Submission): Partition & { chosen: number } {
  const stores = useStores();
  const cache = useStore(stores.cache);
  const [asked] = useState(() => {
    const { resource, action, targets } = submission;
    const able = targets.filter((target) => !refusalFor(stores, resource, action, target));
    return { resource, targets, keys: new Set(able.map(targetKey)) };
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the cache decides which rows still exist
  return useMemo(() => {
    const { resource, targets, keys } = asked;
    const all = targets.map(({ params }) => params);
    const parting = partitionTargets(submission, targets, targetsAt(stores.view, resource, all), keys, stores);
    return { ...parting, chosen: targets.length };
  }, [submission, asked, stores, cache]);
}
