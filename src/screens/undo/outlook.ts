import type { CacheView } from '../../resources/resource.ts';
import { differingClauses, ofSeveral } from '../../resources/wording.ts';
import { changesFor, type Submission } from '../../store/changes/change.ts';
import { inverseOfChange } from '../../store/changes/undoable.ts';
import type { TakesBack } from '../../store/navigation.ts';
import { isPlanOnly } from '../../store/plans/planning.ts';
import type { Stores } from '../../store/stores.ts';
import { attempt } from '../../text/errno.ts';
import { keyLabel } from '../../text/keyLabel.ts';
import { uncapitalized } from '../../text/words.ts';

/** In what a change cannot be taken back as any other, as a sentence. */
export interface Outlook {
  says: string;
  /** At least a part of it cannot. */
  isFinal: boolean;
}

/** Further rows are not looked at: their inverse is as that of the first. */
const maxExamined = 20;

/** Words by which a warning says itself that something is final. */
const finalWords = /cannot be (?:undone|recovered|read back|revoked|made private|made smaller)|never be made smaller/;

/**
 * That a change cannot be taken back, or what is different then, before it is sent; undefined where it can as it is, where
 * that is said already or cannot be known yet, or where another session is to carry it out.
 * @param said the sentences beside it
 */
export function outlookOf(
  submission: Submission,
  stores: Pick<Stores, 'api' | 'session' | 'view'>,
  said: readonly string[],
): Outlook | undefined {
  const { view } = stores;
  const { action, targets } = submission;
  if (action.harmless || action.program) return undefined;
  const found = inversesOf({ ...submission, targets: targets.slice(0, maxExamined) }, view);
  const whys = found.flatMap((one) => ('why' in one ? [one.why] : []));
  if (found.length === 0) return undefined;
  const [why] = whys;
  if (why !== undefined) {
    if (said.some((text) => finalWords.test(text) || text.includes(why))) return undefined;
    const subject = whys.length < found.length ? 'Some of it cannot' : 'Cannot';
    const reason = whys.length > 1 ? ofSeveral(why) : why;
    return { says: `${subject} be taken back: ${uncapitalized(reason)}`, isFinal: true };
  }
  // Only the session that has sent it takes it back.
  if (isPlanOnly(stores, action)) return undefined;
  const inverses = found.flatMap((one) => ('why' in one ? [] : one));
  const differs = differingClauses(inverses.map((one) => one.differs ?? []));
  if (differs.length === 0) return undefined;
  const key = keyLabel('everywhere.takeBack', 'u');
  return { says: `Can be taken back by ${key}, but ${differs.join('; ')}.`, isFinal: false };
}

/** The title of a form or question, which may take a change back. */
export const backTitle = (takesBack: TakesBack | undefined, title: string): string =>
  takesBack ? `${takesBack.isRedo ? 'Do again' : 'Take back'}: ${title}` : title;

/** A sentence about what is not as before once a change was taken back; empty where all is. */
export const differingWords = ({ differs }: Pick<TakesBack, 'differs'>): string =>
  differs.length > 0 ? `Not all is as before then: ${differs.join('; ')}.` : '';

/** The inverses of the changes that would be sent now; none where a form does not hold what can be sent. */
const inversesOf = (submission: Submission, view: CacheView): readonly ReturnType<typeof inverseOfChange>[] =>
  attempt(() => changesFor(submission, view).map((change) => inverseOfChange(change, view, {}))) ?? [];
