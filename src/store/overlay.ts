import type { Edits } from '../resources/edits.ts';
import type { Column, Draft, Params } from '../resources/resource.ts';
import type { BackOf, Result, Submission } from './changes/change.ts';
import type { LostUndo, Undo } from './changes/undoable.ts';
import type { Moment } from './history/history.ts';
import type { ShownColumn, ViewConfig } from './views/columns.ts';

/** The change that a form or question takes back. */
export interface TakesBack extends BackOf {
  /** Clauses about what somebody has set since, and what is not as before then. */
  changed: readonly string[];
  differs: readonly string[];
  /** The entries of each target, or of what is made. */
  own: readonly Edits[];
}

/** An overlay about an action on rows, or about what is made. */
interface ActionOverlay<Kind extends string> {
  kind: Kind;
  resource: string;
  action: string;
  targets: readonly Params[];
  params: Params;
  takesBack?: TakesBack;
}

/** A form over the screen. */
export interface FormOverlay extends ActionOverlay<'form'> {
  start?: Draft;
  /** The form is part of a dialog: what is filled in goes there instead of being sent. */
  into?: (draft: Draft) => void;
  /** The step of the plan that it changes; nothing of it is sent. */
  step?: number;
  replaces?: Submission['replaces'];
}

/** A question about rows, or about what is made. */
export interface ConfirmOverlay extends ActionOverlay<'confirm'> {
  /** A sentence that tells which rows these are. */
  about?: string;
}

/** Values of one row that are shown once; the last is the secret itself. */
export interface ShownOnce {
  label: string;
  values: readonly { name: string; text: string }[];
  /** Name the new row, and the one in whose place it was made. */
  made?: Params | undefined;
  old?: Params | undefined;
}

/** One side of a comparison: a row as it is, or as it was at a moment. */
export interface ComparedSide {
  params: Params;
  moment?: Moment;
}

/** Rows of one resource. */
type ChosenRows = Pick<FormOverlay, 'resource' | 'targets'>;

/** An overlay on the screen. It holds ids, never positions. */
export type Overlay =
  /** The cursor is first on the action of the label `start`, where there is one; `others` are of other kinds. */
  | ({ kind: 'actions'; others?: readonly ChosenRows[]; start?: string } & ChosenRows)
  | FormOverlay
  | ConfirmOverlay
  | ActionOverlay<'dialog'>
  | { kind: 'creations'; resource: string; params: Params }
  /** The results of a change by row; on the rows in `leftOut` it was not possible. */
  | { kind: 'results'; change: number; leftOut: readonly Result[] }
  /** The output of a program, or the answer to a read, of each row. */
  | { kind: 'output'; change: number }
  /** Shown once of new rows. The action `next` is asked about the old ones; of those in `lost` there is nothing to show. */
  | {
      kind: 'secret';
      title: string;
      resource: string;
      all: readonly ShownOnce[];
      next: string | undefined;
      lost: readonly Params[];
    }
  /** Asks about all changes that were sent together, or by a plan. */
  | { kind: 'takeBack'; title: string; undos: readonly Undo[]; lost: readonly LostUndo[]; isRedo?: boolean }
  /** Takes the keys while what is opened in its place is still read; once it is left, nothing is. */
  | { kind: 'reading'; title: string; text: string }
  | { kind: 'plan' }
  | { kind: 'palette' }
  | { kind: 'filter'; viewKey: string }
  /** `columns` are all that can be chosen, `usual` those of the list as a rule, `shown` those of now, with their widths in cells. */
  | {
      kind: 'columns';
      viewKey: string;
      resource: string;
      columns: readonly Column[];
      usual: readonly Column[];
      shown: readonly ShownColumn[];
    }
  /** `name` is what it is to be called, as far as it was typed. */
  | { kind: 'saveView'; name: string }
  /** A view as text, with a sentence about it. */
  | { kind: 'viewText'; title: string; name: string; view: ViewConfig; says: string }
  /** Adds what the documents leave out to the user's own commands: the one of this name, else one that is chosen. */
  | { kind: 'addCommand'; resource: string; name?: string; next?: Overlay & { kind: 'actions' } }
  /** `sort` is the order that the list has as a rule, `chooses` the choice of its columns. */
  | {
      kind: 'sort';
      viewKey: string;
      columns: readonly Column[];
      sort: string | undefined;
      chooses: Extract<Overlay, { kind: 'columns' }>;
    }
  | { kind: 'copy'; resource: string; targets: readonly Params[] }
  /** Rows of a list, to be written with these columns. */
  | { kind: 'export'; resource: string; targets: readonly Params[]; columns: readonly Column[] }
  /** `group` is the key of the shown group of rows; all groups without it. */
  | { kind: 'related'; resource: string; params: Params; group?: string }
  /** The ids of problems. */
  | { kind: 'acknowledge'; problems: readonly string[] }
  /** Two rows, or two moments of one, field by field. */
  | { kind: 'comparison'; resource: string; sides: readonly [ComparedSide, ComparedSide] }
  | { kind: 'help' };
