import type { Stores } from '../stores.ts';
import type { Change } from './change.ts';
import { doubtfullyBack, partMark, takenBack } from './undoable.ts';

/** Says why a change is not taken back, or done again, once more; undefined where it is. */
type WhyTaken = (change: Change) => string | undefined;

/**
 * Reads what other sessions have sent while it was asked whether to take changes back: what one of them has taken back, or may
 * have, is not taken back once more.
 */
export async function takenElsewhere({ audit, view, changes }: Stores): Promise<WhyTaken> {
  const told = doubtfullyBack(view);
  await audit.refresh();
  const [taken, doubtful] = [takenBack(view), doubtfullyBack(view, changes.keys)];
  return (change) => {
    const { of = '', isRedo } = change.takesBack ?? {};
    const name = of.replace(partMark, '');
    if (taken.has(name)) return `it was ${isRedo ? 'done again' : 'taken back'} already`;
    if (!doubtful.has(name) || told.has(name)) return undefined;
    return `another session may have ${isRedo ? 'done it again' : 'taken it back'}, and its answer is not known: look first`;
  };
}
