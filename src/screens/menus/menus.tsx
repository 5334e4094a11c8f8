import { type ComponentProps, useState } from 'react';
import { lackingWords, missingOn } from '../../config/missingCommands.ts';
import { menuLetter } from '../../resources/asking.ts';
import { actionsOf, creationsOf, resourceNamed } from '../../resources/index.ts';
import { at, type CacheView, type Resource, type Row } from '../../resources/resource.ts';
import { rowsText } from '../../resources/wording.ts';
import { targetsAt } from '../../store/changes/change.ts';
import { refusalFor } from '../../store/changes/submit.ts';
import { isTimeFormat } from '../../store/filter/comparison.ts';
import { putInPlan, readOnlyRefusal, whyNotPlanned } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { withoutControls } from '../../text/escapes.ts';
import { grouped } from '../../text/numbers.ts';
import { isTime } from '../../text/times.ts';
import { capitalized, counted, listed, textOf } from '../../text/words.ts';
import { askHint, type Chosen, isLabelAsked, startAction } from '../actions.ts';
import { actionLabel, choicesFor } from '../choices.ts';
import { copyText, type OverlayProps, useAppContext, useStores, useView } from '../useStores.ts';
import { nameRank } from './itemLine.ts';
import { Menu, type MenuItem } from './Menu.tsx';

/** The actions on the chosen rows; one that is not possible says why. */
export function ActionsMenu({ overlay, ...size }: OverlayProps<'actions'>) {
  const stores = useStores();
  const kinds = [overlay, ...(overlay.others ?? [])].flatMap((one, _, all): readonly Chosen[] => {
    const resource = resourceNamed(one.resource);
    const targets = targetsAt(stores.view, resource, one.targets);
    return targets.length > 0 || all.length === 1 ? [{ resource, targets, params: targets[0]?.params ?? {} }] : [];
  });
  const isMixed = kinds.length > 1;
  const items = kinds.flatMap((kind) => {
    const rows = rowsText(kind.resource, kind.targets);
    return choicesFor(stores, kind).map(
      ({ name, key, help, says, isDanger, refusal, run }): MenuItem => ({
        id: `${kind.resource.name} ${name}`,
        label: isMixed ? actionLabel(kind.resource, name, help, rows) : help,
        letter: isMixed ? undefined : menuLetter(key),
        detail: says,
        isDanger,
        refusal,
        plan: refusal === undefined ? planOf(kind, name) : undefined,
        run,
      }),
    );
  });
  const able = items.find(({ refusal }) => refusal === undefined);
  /** Plans an action that is sent at once otherwise; one with a form or a question is planned there. */
  function planOf({ resource, targets, params }: Chosen, name: string): (() => void) | undefined {
    const action = actionsOf(resource).find((one) => one.name === name);
    if (action?.ask !== false || action.body || whyNotPlanned(action) !== undefined) return undefined;
    return () => {
      stores.navigation.close();
      const able = targets.filter((target) => refusalFor(stores, resource, action, target) === undefined);
      const why = putInPlan(stores, { resource, action, targets: able, params, draft: {} });
      if (why !== undefined) stores.notices.say('bad', why);
    };
  }
  return (
    <Choice
      title={`Actions on ${listed(kinds.map((kind) => rowsText(kind.resource, kind.targets)))}`}
      items={items}
      more={(typed) => (items.length === 0 || isMixed ? [] : missingItems(stores, overlay, typed))}
      start={(items.find(({ label }) => label === overlay.start) ?? able)?.id}
      none={items.length === 0 ? 'It no longer exists.' : undefined}
      placeholder={isMixed ? 'type to narrow' : undefined}
      {...size}
    />
  );
}

/** A line for all that the documents leave out for these rows; each has its own once something is typed. */
function missingItems(
  { navigation }: Stores,
  actions: OverlayProps<'actions'>['overlay'],
  typed: string,
): readonly MenuItem[] {
  const { resource } = actions;
  const names = missingOn(resourceNamed(resource)).map(({ name }) => name);
  const item = (label: string, detail: string, name?: string): MenuItem => ({
    id: `missing ${name}`,
    label,
    letter: '',
    detail,
    isDim: true,
    run: () => navigation.open({ kind: 'addCommand', resource, name, next: actions }),
  });
  if (typed !== '') return names.map((name) => item(name, lackingWords, name));
  return names.length === 0 ? [] : [item(capitalized(lackingWords), names.join(', ').toLowerCase())];
}

interface ChoiceProps extends Omit<ComponentProps<typeof Menu>, 'close' | 'search'> {
  placeholder?: string | undefined;
  /** The items that are there for what is typed. */
  more?: (typed: string) => readonly MenuItem[];
}

/** A menu narrowed by typing: items that begin with the text come first. It is closed before one is carried out. */
function Choice({ items, more, placeholder = 'type to narrow, or a capital letter', ...menu }: ChoiceProps) {
  const { close } = useStores().navigation;
  const [query, setQuery] = useState('');
  const typed = query.trim().toLowerCase();
  const words = typed.split(/\s+/);
  const narrowed = [...items, ...(more?.(query) ?? [])]
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .sort((one, other) => nameRank(one, typed) - nameRank(other, typed))
    .map((item) => {
      const run = () => {
        close();
        item.run();
      };
      return { ...item, run };
    });
  return <Menu {...menu} items={narrowed} close={close} search={{ query, setQuery, placeholder }} />;
}

/** The actions that create a row. */
export function CreationsMenu({ overlay, ...size }: OverlayProps<'creations'>) {
  const stores = useStores();
  const resource = resourceNamed(overlay.resource);
  const items = creationsOf(resource).map((action): MenuItem => {
    const start = { resource, action, targets: [], params: overlay.params };
    return {
      id: action.name,
      label: action.help,
      letter: menuLetter(action.key),
      detail: askHint(action, stores, undefined, isLabelAsked(stores, start)),
      refusal: readOnlyRefusal(stores, action) ?? stores.guards.refusal(resource, action, overlay.params),
      run: () => startAction(stores, start),
    };
  });
  return <Choice title={`New ${resource.one}`} items={items} {...size} />;
}

/** The column that a list is sorted by; choosing the present column again reverses it. */
export function SortMenu({ overlay, ...size }: OverlayProps<'sort'>) {
  const { navigation } = useStores();
  const [view, setView] = useView(overlay.viewKey);
  const sort = view.sort ?? overlay.sort;
  const items = overlay.columns.map(({ title, fetches }): MenuItem => {
    // A load is looked at from its highest.
    const [first, second] = fetches ? [`-${title}`, title] : [title, `-${title}`];
    const run = () => setView({ sort: sort === first ? second : first });
    return { id: title, label: title, detail: sortDetail(title, sort, first), run };
  });
  const choose: MenuItem = {
    id: 'columns',
    label: 'Choose columns',
    letter: 'C',
    detail: 'which, in which order, how wide',
    run: () => navigation.open(overlay.chooses),
  };
  return (
    <Choice
      title="Sort by"
      items={items}
      more={(typed) => (typed === '' ? [choose] : [])}
      placeholder="a column, or C to choose columns"
      {...size}
    />
  );
}

/** The present direction. */
function sortDetail(title: string, sort: string | undefined, first: string): string {
  if (sort?.replace(/^-/, '') !== title) return '';
  const [way, other] = sort.startsWith('-') ? ['descending', 'ascending'] : ['ascending', 'descending'];
  return sort === first ? `${way}; choose again for ${other}` : way;
}

/** The texts of rows that can be copied; of several each on a line of its own. */
export function CopyMenu({ overlay, ...size }: OverlayProps<'copy'>) {
  const context = useAppContext();
  const { stores } = context;
  const resource = resourceNamed(overlay.resource);
  const targets = targetsAt(stores.view, resource, overlay.targets);
  const rows = targets.map(({ row }) => row);
  const what = rowsText(resource, targets);
  const isMany = rows.length > 1;
  const items = copyableTogether(resource, rows, stores.view).map(({ name, text, count }): MenuItem => {
    const of = count === rows.length ? what : `${grouped(count)} of ${what}`;
    const parts = text.split('\n');
    const lines = counted(parts.length, 'line');
    // More would make the menu wider than the screen.
    const first = parts.slice(0, 3).join(', ') + (parts.length > 3 ? ' …' : '');
    return {
      id: name,
      label: name,
      detail: isMany ? `${lines}: ${first}` : parts.length > 1 ? lines : text,
      run: () => copyText(context, isMany ? `${name} of ${of}, ${lines}` : `${name} of ${of}`, text),
    };
  });
  return <Choice title={`Copy of ${what}`} items={items} placeholder="what to copy" {...size} />;
}

/** The texts of a row that can be copied: those of its description, label, id, columns, and JSON. */
export function copyableTexts(
  resource: Resource,
  row: Row,
  view: CacheView,
): readonly { name: string; text: string }[] {
  const { copies = {}, paragraphs = [] } = resource;
  const named = Object.entries(copies).map(([name, read]) => {
    const value = read(row, view);
    return [name, paragraphs.includes(name) ? value : oneLine(value)] as const;
  });
  const known = new Set(Object.keys(copies).map((name) => name.toLowerCase()));
  const columns = resource.columns.flatMap(({ title, value, format }) =>
    typeof value === 'string' && !known.has(title.toLowerCase())
      ? [[title, isTimeFormat(format) ? timeText(at(row, value)) : at(row, value)] as const]
      : [],
  );
  const all = new Map<string, unknown>([
    ...named,
    ['label', oneLine(resource.label(row))],
    ['ID', oneLine(row[resource.id])],
    ...columns.map(([title, value]) => [title === 'Label' ? 'label' : title, oneLine(value)] as const),
    ['JSON', JSON.stringify(row, null, 2)],
  ]);
  return [...all].flatMap(([name, value]) => {
    const text = withoutControls(textOf(value));
    return text === '' ? [] : [{ name, text }];
  });
}

/** A time in ms since the epoch as ISO 8601 has it; the API's own texts stay as they are. */
const timeText = (value: unknown): unknown => (isTime(value) ? new Date(value).toISOString() : value);

/** A value, or the items of a list, on one line: a line feed that is pasted into a shell runs what stands before it. */
const oneLine = (value: unknown): string => {
  const text = Array.isArray(value) ? value.join(' ') : typeof value === 'object' ? '' : textOf(value);
  return text.replace(/\s+/g, ' ');
};

/** The texts of several rows, each on a line of its own, and how many of them have it; JSON as one list. */
function copyableTogether(resource: Resource, rows: readonly Row[], view: CacheView) {
  const all = rows.flatMap((row) => copyableTexts(resource, row, view));
  return [...Map.groupBy(all, ({ name }) => name)].map(([name, texts]) => {
    const isJson = name === 'JSON' && rows.length > 1;
    const text = isJson ? withoutControls(JSON.stringify(rows, null, 2)) : texts.map((one) => one.text).join('\n');
    return { name, text, count: texts.length };
  });
}
