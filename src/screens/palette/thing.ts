import type { Prepared } from 'fuzzysort';
import type { Resource } from '../../resources/resource.ts';
import type { MenuItem } from '../menus/itemLine.ts';
import type { Labelled, Match } from './match.ts';

/** Something that the palette offers: a place, a verb or a command; it is carried out once the palette is closed. */
export interface Thing
  extends Pick<MenuItem, 'id' | 'label' | 'detail' | 'explains' | 'key' | 'isDanger' | 'refusal' | 'run'> {
  /** Other names, which match whole or by their beginning. */
  names?: readonly string[];
  /** The noun of a row, the area of a list. */
  kind: string;
  /** It is found by a whole name alone. */
  isHidden?: boolean;
  /** It is a tab of a row: the area of its name comes first. */
  opens?: true;
  /** Instead of being run it has a row chosen, to which this is done. */
  chooses?: Verb;
  /** Instead of being run it is typed. */
  types?: string;
}

/** A verb of the rows of a resource, by its own name: an action, a shortcut or a view. */
export interface Verb extends Labelled {
  resource: Resource;
  name: string;
  /** Its letter in the actions menu; a view has none. */
  key: string | undefined;
}

/** A thing that was found. */
export interface PaletteMatch {
  thing: Thing;
  match: Match;
  /** Of two that match as well, the one with the lower rank comes first. */
  rank: number;
  /** The part of the detail that matched. */
  matchedDetail?: { from: number; to: number };
}

/** A thing that is searched more than once. */
export interface PreparedThing {
  thing: Thing;
  label: Prepared;
}
