import { useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { Lines } from '../../components/Line.tsx';
import { saidLines } from '../../components/spans.ts';
import { type Role, type Theme, useTheme } from '../../components/theme.ts';
import { changedElsewhere } from '../../resources/edits.ts';
import { actionNamed, resourceNamed } from '../../resources/index.ts';
import { type CacheView, forSeveral, knownField } from '../../resources/resource.ts';
import { cachedRow, type Target, type Tempo, targetsAt } from '../../store/changes/change.ts';
import type { TakesBack } from '../../store/navigation.ts';
import type { Stores } from '../../store/stores.ts';
import { cut, widthOf } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { listed, sentence } from '../../text/words.ts';
import { ClosedPane } from '../page/Page.tsx';
import { Pane, placeIn } from '../page/Pane.tsx';
import { differingWords, outlookOf } from '../undo/outlook.ts';
import { useReads } from '../useReads.ts';
import { type OverlayProps, type Size, useStores } from '../useStores.ts';
import { ConfirmPane } from './ConfirmPane.tsx';
import { ConflictPane } from './ConflictPane.tsx';
import { formNote } from './confirmation.ts';
import { FieldRow } from './FieldRow.tsx';
import { fieldBlock } from './fieldLines.ts';
import { ChoicesPicker } from './picker.tsx';
import { changeLines, costLines, SubmissionRequest } from './preview.tsx';
import { ReferencePicker } from './ReferencePicker.tsx';
import { isMultiline, typedText } from './typedText.ts';
import { type Form, useForm } from './useForm.ts';
import { useBusyKeys, useFormKeys } from './useFormKeys.ts';
import { useInitialReads } from './useFormReads.ts';

/** A form beside or below the list: fields with rules and complaints, and the exact request on demand. */
export function FormPane({ overlay, ...size }: OverlayProps<'form'>) {
  const resource = resourceNamed(overlay.resource);
  const action = actionNamed(resource, overlay.action);
  const isReady = useReads(action, overlay.targets.length > 0 ? overlay.targets : [overlay.params]);
  const isWhole = useInitialReads(resource, action, overlay.targets);
  if (!isReady || !isWhole)
    return <ClosedPane title={action.help} text="Reading what it depends on …" {...size} overlay={overlay} />;
  return <OpenForm overlay={overlay} {...size} />;
}

function OpenForm({ overlay, ...size }: OverlayProps<'form'>) {
  const stores = useStores();
  const resource = resourceNamed(overlay.resource);
  const named = actionNamed(resource, overlay.action);
  const [only, ...others] = overlay.targets;
  // Changes to the row by others show up while the form is open.
  useStore(stores.cache, () => (only && others.length === 0 ? cachedRow(stores.view, resource, only) : undefined));
  const targets = targetsAt(stores.view, resource, overlay.targets);
  // The fields of a form stay, whatever happens to its rows meanwhile.
  const action = useMemo(() => {
    const rows = targetsAt(stores.view, resource, overlay.targets).map(({ row }) => row);
    return overlay.targets.length > 1 ? forSeveral(resource, named, rows) : named;
  }, [stores, resource, named, overlay.targets]);
  const form = useForm(overlay, resource, action, targets);
  // The initial query of the focused field's picker; undefined while it is closed.
  const [picking, setPicking] = useState<string>();
  const closePicker = () => setPicking(undefined);
  const field = form.fields[form.focus];
  if (overlay.targets.length > 0 && targets.length === 0) {
    return <ClosedPane title="Gone" text={`This ${resource.one} is gone.`} {...size} overlay={overlay} />;
  }
  if (form.dialog === 'conflicts') return <ConflictPane form={form} {...size} />;
  if (form.dialog === 'question') {
    const { submission, takesBack, confirm, back } = form;
    const plan = (going: readonly Target[], tempo?: Tempo) => form.plan(tempo, going);
    return <ConfirmPane {...{ submission, takesBack, confirm, plan }} {...size} cancel={back} />;
  }
  if (picking !== undefined && field) {
    const Picker = ['choices', 'choice', 'boolean'].includes(field.field.kind) ? ChoicesPicker : ReferencePicker;
    return <Picker form={form} formField={field} initialQuery={picking} close={closePicker} {...size} />;
  }
  return <FilledForm form={form} pick={(text = '') => setPicking(text)} {...size} />;
}

function FilledForm({ form, pick, width, height }: Size & { form: Form; pick: (narrowedTo?: string) => void }) {
  const stores = useStores();
  const theme = useTheme();
  const [names, setNames] = useState<readonly string[]>([]);
  const most = useRef(0);
  const { message, press } = useBusyKeys(form.isBusy);
  useFormKeys(form, pick, setNames, press);
  const { title } = form;
  if (form.dialog === 'preview') {
    return (
      <SubmissionRequest
        title={title}
        submission={form.submission}
        send={form.isPlanned ? undefined : form.send}
        close={form.back}
        width={width}
        height={height}
      />
    );
  }
  const foot = [
    ...nameLines(theme, form, names, width),
    ...footLines(theme, form, stores, message, width),
    ...costLines(theme, form.submission, stores.view, width - 2).map((line) => ` ${line}`),
  ];
  const blocksIn = (room: number) =>
    form.fields.map((field, index) => fieldBlock(theme, stores.view, form, field, index, width, room));
  const whole = Math.max(1, height - 1 - foot.length);
  const all = blocksIn(whole);
  const left = whole - all.reduce((sum, block) => sum + block.height, 0);
  const outlook = outlookLines(theme, form, stores, width, left, whole);
  const room = Math.max(1, whole - outlook.length);
  const blocks = outlook.length > left ? blocksIn(room) : all;
  // The position in the form is shown however long the title is.
  const place = `  ${form.focus + 1}/${form.fields.length}`;
  const visible = visibleFields(blocks, form.focus, room);
  const part = { top: visible[0] ?? 0, body: visible.length, count: form.fields.length };
  const more = placeIn(theme, part, '') + (part.top + part.body < part.count ? ' more below' : '');
  const needed = visible.reduce((sum, index) => sum + (blocks[index]?.height ?? 0), 1 + foot.length + outlook.length);
  // It grows with what is said in it, and does not shrink under the hands.
  most.current = Math.min(height, Math.max(most.current, needed));
  const beside = more === '' ? 6 : 10 + widthOf(more);
  return (
    <Pane
      title={`${cut(title, width - beside - place.length)}${place}`}
      note={more}
      width={width}
      height={height}
      minHeight={most.current}
    >
      {visible.map((index) => {
        const field = form.fields[index];
        const block = blocks[index];
        return field && block ? (
          <FieldRow key={field.name} form={form} formField={field} index={index} block={block} width={width} />
        ) : null;
      })}
      <Lines of={[...foot, ...outlook]} />
    </Pane>
  );
}

/** The indexes of the visible fields: the focused one, then as many before and after it as fit. */
function visibleFields(blocks: readonly { height: number }[], focus: number, room: number): readonly number[] {
  const heightOf = (index: number) => blocks[index]?.height ?? 0;
  const total = blocks.reduce((sum, { height }) => sum + height, 0);
  let used = heightOf(focus);
  let from = focus;
  const lookAhead = total > room ? Math.min(room - used, heightOf(focus + 1)) : 0;
  while (from > 0 && used + heightOf(from - 1) <= room - lookAhead) used += heightOf(--from);
  let to = focus;
  while (to + 1 < blocks.length && used + heightOf(to + 1) <= room) used += heightOf(++to);
  while (from > 0 && used + heightOf(from - 1) <= room) used += heightOf(--from);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** The names that complete the path of the focused field. */
function nameLines(theme: Theme, form: Form, names: readonly string[], width: number): readonly string[] {
  const formField = form.fields[form.focus];
  if (formField?.field.kind !== 'file') return [];
  const typed = typedText(form.submission.draft[formField.name]).split('/').at(-1) ?? '';
  const fitting = names.filter((name) => name.startsWith(typed));
  if (fitting.length === 0) return [];
  return saidLines(theme, fitting.join('  '), width - 4, 'accent', 3).slice(0, 3);
}

/** Fields that do not fit scroll in so many lines at least before one tells that a change can be taken back. */
const minFieldLines = 12;

/**
 * Whether the change can be taken back.
 * @param left lines that the fields do not need
 * @param whole lines of the fields
 */
function outlookLines(
  theme: Theme,
  { submission, isBusy, isNested, fields, focus }: Form,
  stores: Stores,
  width: number,
  left: number,
  whole: number,
): readonly string[] {
  if (isBusy || isNested) return [];
  const outlook = outlookOf(submission, stores, [formNote(submission, stores.view) ?? '']);
  if (!outlook) return [];
  const lines = saidLines(theme, outlook.says, width - 2, 'dim');
  if (lines.length <= left || whole - lines.length >= minFieldLines) return lines;
  // A text of many lines needs the little room there is; the sentence is beside every other field.
  const shown = fields[focus];
  return outlook.isFinal && !(shown && isMultiline(shown.field)) ? lines : [];
}

/** The lines about the whole form: progress, refusals, notices, and the note of the action. */
function footLines(theme: Theme, form: Form, stores: Stores, busy: string, width: number): readonly string[] {
  const note = formNote(form.submission, stores.view);
  const them = form.submission.targets.length > 1 ? 'them' : 'it';
  const said = (text: string, role: Role) => saidLines(theme, text, width - 2, role);
  const leaves = `${keyLabel('form.close', 'esc')} leaves the form; the line below stays.`;
  if (form.sending) return said(`Sending … ${leaves} ${busy}`, 'busy');
  if (form.reading) return said(`Reading ${them} again, to see whether others have changed ${them} … ${busy}`, 'busy');
  if (form.refusal) return said(sentence(form.refusal), 'bad');
  const news = editLines(form, theme, stores.view).flatMap((line) => said(line, 'warn'));
  return [...news, ...(note ? said(note, 'dim') : [])];
}

/** The number of fields that are named; beyond that they are counted. */
const maxNamed = 4;

/** The fields that go back; empty where a row is made. */
const backWords = ({ isRedo }: TakesBack, changes: readonly string[]): string =>
  changes.length > 0 ? `It ${isRedo ? 'is done again' : 'goes back'}: ${changes.join('; ')}.` : '';

/** Notices above a form: why nothing was sent, a restored draft, and changes by others. */
function editLines(
  { submission, step, fields, formEdits, conflicts, notice, takesBack }: Form,
  theme: Theme,
  view: CacheView,
): readonly string[] {
  const { resource, action, targets } = submission;
  const { edits, current, restored } = formEdits;
  const labels = (isNamed: (name: string) => boolean) => {
    const named = fields.filter(({ name }) => isNamed(name)).map(({ field }) => field.label);
    return listed(named, maxNamed);
  };
  const isMine = (name: string) => name in edits.mine;
  const changed = new Set(changedElsewhere(resource, action, edits, current));
  const isConflict = (name: string) => conflicts.some((conflict) => conflict.name === name);
  const kept = restored ? labels((name) => isMine(name) && name in restored) : '';
  const both = labels(isConflict);
  // Of what goes back it is said whole.
  const isMerged = (name: string) => !takesBack && knownField(resource, action, name)?.merged === true;
  const merged = labels((name) => changed.has(name) && isMine(name) && isMerged(name));
  const others = labels((name) => changed.has(name) && !isMine(name));
  return [
    notice,
    takesBack && backWords(takesBack, changeLines(submission, theme, view)),
    takesBack && differingWords(takesBack),
    kept &&
      `${step === undefined ? 'Kept draft' : 'The step as it is planned'}: it ${targets.length > 0 ? 'changes' : 'fills in'} ${kept}. ${keyLabel('form.discard', 'ctrl-x')} starts over.`,
    both && `Changed elsewhere too: ${both}. Sending asks which value to keep.`,
    merged && `Changed elsewhere too: ${merged}. Only what you add and remove is changed.`,
    others && `Changed elsewhere meanwhile: ${others}.`,
  ].filter((line) => line !== undefined && line !== '') as readonly string[];
}
