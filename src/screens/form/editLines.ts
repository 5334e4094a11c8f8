import type { Theme } from '../../components/theme.ts';
import { changedElsewhere } from '../../resources/edits.ts';
import type { CacheView } from '../../resources/resource.ts';
import type { TakesBack } from '../../store/navigation.ts';
import { listed } from '../../text/words.ts';
import { differingWords } from '../undo/outlook.ts';
import { changeLines } from './preview.ts';
import type { Form } from './useForm.ts';

/** The number of fields that are named; beyond that they are counted. */
const maxNamed = 4;

/** The fields that go back; empty where a row is made. */
const backWords = ({ isRedo }: TakesBack, changes: readonly string[]): string =>
  changes.length > 0 ? `It ${isRedo ? 'is done again' : 'goes back'}: ${changes.join('; ')}.` : '';

/** Notices above a form: why nothing was sent, a restored draft, and changes by others. */
export function editLines(
  { submission, fields, formEdits, conflicts, notice, takesBack }: Form,
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
  const merged = labels((name) => changed.has(name) && isMine(name) && !isConflict(name));
  const others = labels((name) => changed.has(name) && !isMine(name));
  return [
    notice,
    takesBack && backWords(takesBack, changeLines(submission, theme, view)),
    takesBack && differingWords(takesBack),
    kept && `Kept draft: it ${targets.length > 0 ? 'changes' : 'fills in'} ${kept}. ctrl-x starts over.`,
    both && `Changed elsewhere too: ${both}. Sending asks which value to keep.`,
    merged && `Changed elsewhere too: ${merged}. Only what you add and remove is changed.`,
    others && `Changed elsewhere meanwhile: ${others}.`,
  ].filter((line) => line !== undefined && line !== '') as readonly string[];
}
