import { useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { marksOf, type Theme, useTheme } from '../../components/theme.ts';
import { askOf } from '../../resources/asking.ts';
import { formFields, isBlank } from '../../resources/body.ts';
import { creationsOf } from '../../resources/index.ts';
import { actionOn, differingClauses } from '../../resources/wording.ts';
import { type LostUndo, newKey, type Undo } from '../../store/changes/undoable.ts';
import { limitsOf, subjectsOf } from '../../store/guards/subjects.ts';
import { whyNotPlanned } from '../../store/plans/planning.ts';
import { type BackRow, backRows, changesOf, planAllBack, takeAllBack } from '../../store/plans/takingBack.ts';
import type { Stores } from '../../store/stores.ts';
import { clean, cut, wrapCells } from '../../text/cells.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { counted, listed, sentence, uncapitalized } from '../../text/words.ts';
import { confirmationOf } from '../form/confirmation.ts';
import { entryText } from '../form/fieldLines.ts';
import { changeText } from '../form/preview.tsx';
import { Page } from '../page/Page.tsx';
import { itemLines } from '../page/usePage.ts';
import { whereIn } from '../places.ts';
import { answerText, QuestionPane, unseenObjection } from '../question/QuestionPane.tsx';
import { useTempo } from '../question/useTempo.ts';
import { differingWords } from '../undo/outlook.ts';
import { type OverlayProps, useStores } from '../useStores.ts';

/** Asks about several changes that are taken back at once: each with what goes back, or why it cannot; any can be left out. */
export function TakeBackPane({ overlay, width, height }: OverlayProps<'takeBack'>) {
  const stores = useStores();
  const theme = useTheme();
  const { title, undos, lost, isRedo = false } = overlay;
  const what = isRedo ? 'Do again' : 'Take back';
  const cache = useStore(stores.cache);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows follow from what is loaded
  const rows = useMemo(() => backRows(stores, undos), [stores, undos, cache]);
  const [cursor, setCursor] = useState<string>();
  const [out, setOut] = useState<ReadonlySet<Undo>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const [complaint, setComplaint] = useState('');
  const going = rows.filter(({ undo, why }) => why === undefined && !out.has(undo));
  const asked = useMemo(() => askedOf(stores, going), [stores, going]);
  const phrase = asked.isTyped ? counted(going.length, 'change') : undefined;
  const room = width - 4;
  const bar = asked.isDanger ? theme.paint('bad', marksOf(theme).bar) : ' ';
  const taking = { title, isRedo };
  const able = changesOf(going);
  const isRolled = going.every(({ action, change }) => change && whyNotPlanned(action) === undefined);
  const how = useTempo({
    count: isRolled ? going.length : 0,
    acted: able,
    of: { one: 'row', many: 'Rows' },
    changes: () => able,
    atOnce: 'all at once',
    room,
  });
  const lines = useMemo(
    () =>
      rows.flatMap((row, index) =>
        itemLines(theme, String(index), rowLines(stores, theme, row, room, out.has(row.undo)), `${bar} `),
      ),
    [rows, stores, theme, room, out, bar],
  );
  const moveTo = (id: string) => {
    setCursor(id);
    setComplaint('');
  };
  const close = () => stores.navigation.dismiss(overlay);

  function refusal(): string | undefined {
    const [limit] = limitsOf(stores, going).values();
    if (limit !== undefined) return sentence(limit);
    if (going.length > 0) return undefined;
    return `Nothing of it can be taken back now; ${keyLabel('takeBack.close', 'esc')} closes it.`;
  }

  /** Sends them, or puts them into the plan to be carried out at once; returns why not. */
  function send(): string | undefined {
    const isTyped = phrase !== undefined;
    const { tempo } = how;
    const rolling = { id: newKey(), title: `${what}: ${title}` };
    const why = tempo?.atATime && planAllBack(stores, taking, going, { tempo, isTyped }, rolling);
    if (why) return why;
    close();
    if (!tempo?.atATime) void takeAllBack(stores, taking, going, isTyped, undos);
    return undefined;
  }

  function agree(unseen: string): void {
    const why = refusal() ?? unseen;
    if (why !== '') setComplaint(why);
    else if (phrase === undefined) setComplaint(send() ?? '');
    else setAsking(true);
  }

  function plan() {
    stores.plans.refresh();
    const before = stores.plans.getState().steps.length;
    const refused = planAllBack(stores, taking, going, how);
    if (refused !== undefined) return setComplaint(refused);
    close();
    const count = counted(stores.plans.getState().steps.length - before, 'step');
    stores.notices.say('good', `${count} in the plan: ${uncapitalized(what)} ${title}; :plan shows it.`);
  }

  function toggle(at: number): void {
    const row = rows[at];
    if (!row) return;
    setComplaint(row.why === undefined ? '' : sentence(labelled(row), row.undo.label));
    const next = new Set(out);
    if (!next.delete(row.undo)) next.add(row.undo);
    if (row.why === undefined) setOut(next);
    setCursor(String(Math.min(rows.length - 1, at + 1)));
  }

  const head = headLines(rows, lost, room).map((text) => theme.paint('warn', text));
  if (isAsking && phrase !== undefined)
    return (
      <QuestionPane
        title={`${what}: ${title}`}
        isDanger={asked.isDanger}
        lines={[...head, ...going.flatMap((row) => rowLines(stores, theme, row, room, false))]}
        about={going.map(({ undo }) => undo.of).join(' ')}
        phrase={phrase}
        agree={{ word: uncapitalized(what), run: () => refusal() ?? send() }}
        wayOut={answerText(phrase, isRedo ? 'do them again' : 'take them back', 'go back to the list')}
        cancel={() => setAsking(false)}
        width={width}
        height={height}
      />
    );
  const said = complaint === '' ? [] : wrapCells(clean(complaint), room).map((text) => theme.paint('warn', text));
  const count = theme.paint('title', `${going.length} of ${counted(rows.length, 'change')}`);
  return (
    <Page
      layer="takeBack"
      title={`${what}: ${title}`}
      isDanger={asked.isDanger}
      head={[...head, ...how.lines].map((line) => `${bar} ${line}`)}
      lines={lines}
      foot={[...said, ...how.head, count].map((line) => `${bar} ${line}`)}
      cursor={cursor}
      setCursor={moveTo}
      again={keyLabel('takeBack.toggle', 'space')}
      keys={(current, page) => {
        const refuses = unseenObjection(page);
        const offered = Object.assign(() => agree(refuses), refuses !== '' && { refuses });
        return { agree: offered, toggle: () => toggle(Number(current)), plan, close, ...how.keys };
      }}
      width={width}
      height={height}
    />
  );
}

/** Sentences about what is not as before then, of all rows, and about the rows that stay. */
function headLines(rows: readonly BackRow[], lost: readonly LostUndo[], room: number): readonly string[] {
  const differs = differingClauses(rows.map(({ undo }) => undo.inverse.differs ?? []));
  const stays = [...Map.groupBy(lost, ({ why }) => why)].map(([why, those]) => {
    const who = listed(those.map(({ label }) => label));
    return `${who} ${those.length > 1 ? 'are' : 'is'} not taken back: ${uncapitalized(why)}`;
  });
  return [differingWords({ differs }), ...stays].filter(Boolean).flatMap((text) => wrapCells(clean(text), room));
}

const labelled = ({ undo, why = '' }: BackRow): string => (why.includes(undo.label) ? why : `${undo.label}: ${why}`);

/** Its mark and title, the values that go back, what is lost by it, and why it cannot be taken back or was not. */
function rowLines(stores: Stores, theme: Theme, row: BackRow, room: number, isOut: boolean): readonly string[] {
  const { undo, resource, action, submission, changes, why, waits } = row;
  const { good, bad } = marksOf(theme);
  const [hue, mark] =
    why !== undefined ? (['bad', bad] as const) : isOut ? (['dim', ' '] as const) : (['good', good] as const);
  const isNew = creationsOf(resource).includes(action);
  const where = whereIn(stores, resource, undo.inverse.params, true);
  const name = clean(actionOn(action, undo.label) + (undo.label.endsWith(where) ? '' : where));
  const values = isNew
    ? formFields(resource, action, submission.draft, undefined, stores.view).flatMap((one) => {
        const entry = submission.draft[one.name];
        return isBlank(entry) ? [] : [`${one.field.label} ${entryText(theme, one, entry, stores.view, room)}`];
      })
    : changes.map((change) => `${change.field.label}: ${changeText(theme, change, stores.view)}`);
  const { sentences, isDanger } = confirmationOf(submission, stores.view);
  const wrapped = (text: string, role: Parameters<Theme['paint']>[0]) =>
    text === '' ? [] : wrapCells(clean(text), room - 4, 2).map((line) => `  ${theme.paint(role, line)}`);
  return [
    `${theme.paint(hue, mark)} ${theme.paint(isOut ? 'dim' : 'title', cut(name, room - 4))}`,
    ...(why === undefined ? [] : wrapped(sentence(why, undo.label), 'warn')),
    ...(why === undefined && waits
      ? wrapped('It is looked at when its turn comes, after the one before it.', 'dim')
      : []),
    ...(undo.says && why === undefined ? wrapped(undo.says, 'bad') : []),
    ...(isOut || why !== undefined ? [] : wrapped(values.join(', '), 'dim')),
    ...(isOut || why !== undefined || !isDanger ? [] : sentences.flatMap((text) => wrapped(text, 'warn'))),
  ];
}

/** Whether something is lost by these changes, and whether a phrase is typed before them. */
function askedOf({ settings, guards, view }: Stores, going: readonly BackRow[]) {
  const isDanger = going.some(({ submission }) => confirmationOf(submission, view).isDanger);
  const isAsked = ({ action, submission }: BackRow) =>
    askOf(action).typeLabel === true || guards.asks(() => subjectsOf(submission, view)).length > 0;
  return { isDanger, isTyped: going.length > 0 && (settings.critical || going.some(isAsked)) };
}
