import { type Action, at, type Params, type Resource, type Row } from '../../resources/resource.ts';
import { idOf, paramsOf } from '../../store/records.ts';
import { begin, hasChoices, ticketOf } from '../actions.ts';
import { useKeys } from '../keyboard.tsx';
import { placeOfEntity, placeOfRow } from '../places.ts';
import type { Subject } from '../subjects.ts';
import { useDeck, useView } from '../useDeck.ts';
import type { Moves } from '../useScroll.ts';

export interface ListKeys {
  resource: Resource;
  /** The parameters of the list. */
  params: Params;
  viewKey: string;
  /** The rows shown. */
  rows: readonly Row[];
  /** The row under the cursor. */
  row: Row | undefined;
  /** The rows of an action: the marked ones, else the one under the cursor. */
  subjects: readonly Subject[];
  moves: Moves;
  /** Opens the row under the cursor, where that is not its detail. */
  open?: () => void;
  /** Shows or hides what is beside the list, where there is room for it. */
  preview?: () => void;
  /** Rows can be marked although nothing changes them. */
  marks?: boolean;
}

/** The keys of a list; read-only, those that change something are not there. */
export function useListKeys(props: ListKeys): void {
  const { resource, params, viewKey, rows, row, subjects, moves, open, preview, marks } = props;
  const deck = useDeck();
  const { navigation } = deck;
  const [view, setView] = useView(viewKey);
  const own = row && paramsOf(resource, row, params);
  /** Whatever is done to a row, the cursor stays with it, also where nobody has moved it yet. */
  const held = (act: (() => void) | undefined) =>
    act &&
    (() => {
      if (row) setView({ cursor: idOf(resource, row) });
      act();
    });
  const detail = (tab?: string) => own && (() => navigation.go({ ...placeOfRow(resource, own), ...(tab && { tab }) }));
  const subject = row && resource.about ? placeOfEntity(at(row, resource.about)) : undefined;
  useKeys('list', {
    ...moves,
    open: held(open ?? (resource.view || !resource.about ? detail() : subject && (() => navigation.go(subject)))),
    json: held(detail('json')),
    filter: () => navigation.open({ kind: 'filter', viewKey }),
    sort: () => navigation.open({ kind: 'sort', viewKey, resource: resource.name }),
    copy: held(own && (() => navigation.open({ kind: 'copy', resource: resource.name, params: own }))),
    related: held(
      own && !resource.local
        ? () => navigation.open({ kind: 'related', resource: resource.name, params: own })
        : undefined,
    ),
    preview,
    clear: view.filter !== '' || view.marks.length > 0 ? () => setView({ filter: '', marks: [] }) : undefined,
    jump: held(subject && (() => navigation.go(subject))),
    ...(deck.api.readOnly ? {} : changes()),
    ...(marks ? marking() : {}),
  });

  function changes() {
    const starts = (action: Action | undefined, chosen: readonly Subject[]) =>
      action && (() => begin(deck, resource, action, chosen, params));
    return {
      create: resource.creates
        ? () => navigation.open({ kind: 'creations', resource: resource.name, params })
        : starts(resource.create, []),
      edit: subjects.length > 0 ? held(starts(resource.edit, subjects)) : undefined,
      remove: subjects.length > 0 ? held(starts(resource.remove, subjects)) : undefined,
      actions:
        subjects.length > 0 && hasChoices(resource)
          ? held(() =>
              navigation.open({ kind: 'actions', resource: resource.name, targets: subjects.map((one) => one.params) }),
            )
          : undefined,
      ticket: held(ticketOf(deck, resource, subjects)),
      ...(resource.catalogue || !hasChoices(resource) ? {} : marking()),
    };
  }

  function marking() {
    const { marks } = view;
    return {
      mark: () => {
        if (!row) return;
        const id = idOf(resource, row);
        setView({ marks: marks.includes(id) ? marks.filter((mark) => mark !== id) : [...marks, id] });
        moves.down();
      },
      markAll: () => setView({ marks: marks.length > 0 ? [] : rows.map((row) => idOf(resource, row)) }),
    };
  }
}
