import { withoutStop } from '../../text/words.ts';
import { changeFacts, countOf } from '../changes/pendingChanges.ts';
import { allOf } from '../listeners.ts';
import type { NoticeContent } from '../notices.ts';
import type { Stores } from '../stores.ts';

/**
 * Tells how the changes and transfers of an account end, and what is to be seen by whoever began them.
 * @param tell called with a sentence without its full stop
 * Returns a function that ends this.
 */
export function onResults(
  { changes, transfers, notices }: Pick<Stores, 'changes' | 'transfers' | 'notices'>,
  tell: (tone: NoticeContent['tone'], text: string) => void,
): () => void {
  return allOf([
    notices.subscribe(({ notices: all }, before) => {
      const newest = all.at(-1);
      if (newest?.stays && newest !== before.notices.at(-1)) tell(newest.tone, withoutStop(newest.text));
    }),
    changes.subscribe((after, before) => {
      if (after.changes === before.changes) return;
      const wasOver = new Set(before.changes.flatMap(({ id, isOver }) => (isOver ? id : [])));
      for (const change of after.changes) {
        // A form with files is told as a transfer.
        if (!change.isOver || wasOver.has(change.id) || change.action.multipart) continue;
        const isDone = countOf(change, 'done') === change.results.length;
        tell(isDone ? 'good' : 'bad', `${change.title}: ${withoutStop(changeFacts(change))}`);
      }
    }),
    transfers.subscribe((after, before) => {
      if (after.transfers === before.transfers) return;
      const wasRunning = new Set(before.transfers.flatMap(({ id, state }) => (state === 'running' ? id : [])));
      for (const { id, what, state, error } of after.transfers) {
        if (state === 'running' || !wasRunning.has(id)) continue;
        tell(state === 'done' ? 'good' : 'bad', `${what}: ${withoutStop(error ?? state)}`);
      }
    }),
  ]);
}
