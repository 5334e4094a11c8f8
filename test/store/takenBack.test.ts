import { expect, test } from 'vitest';
import type { AuditRow } from '../../src/resources/account/audit.ts';
import { standingOf } from '../../src/store/audit/takenBack.ts';
import { takenBack } from '../../src/store/changes/undoable.ts';
import { knowing } from '../resources/known.ts';

const line = (uid: string, takesBack?: string, outcome = 'done'): AuditRow => ({
  ...{ id: uid, uid, at: 0, profile: '', outcome },
  ...(takesBack !== undefined && { takesBack }),
});

/** Tells what stands of lines, the newest first. */
function standing(rows: readonly AuditRow[]) {
  const found = standingOf(
    rows.filter(({ takesBack }) => takesBack !== undefined),
    (uid) => rows.find((row) => row.uid === uid),
  );
  return rows.map((row) => {
    const { isBack, isTakenBack, isPast } = found.of(row);
    return [row.uid, isBack ? 'back' : '', isTakenBack ? 'taken' : '', isPast ? 'past' : ''].filter(Boolean).join(' ');
  });
}

test('what was taken back, done again and taken back once more is known by its names', () => {
  expect(standing([line('b', 'a'), line('a')])).toEqual(['b back', 'a taken']);
  expect(standing([line('c', 'b'), line('b', 'a'), line('a')])).toEqual(['c', 'b back taken', 'a past']);
  expect(standing([line('d', 'c'), line('c', 'b'), line('b', 'a'), line('a')])).toEqual([
    ...['d back', 'c taken', 'b back past', 'a taken'],
  ]);
});

test('what is not known to be done takes nothing back, nor what names itself or nothing that is there', () => {
  expect(standing([line('b', 'a', 'answer lost'), line('a')])).toEqual(['b back', 'a']);
  expect(standing([line('c', 'b', 'failed'), line('b', 'a'), line('a')])).toEqual(['c', 'b back', 'a taken']);
  expect(standing([line('a', 'a')])).toEqual(['a back taken past']);
  expect(standing([line('b', 'gone')])).toEqual(['b back']);
});

test('where a change was taken back and done again, only what did it again can be taken back', () => {
  const log = [line('c', 'b'), line('b', 'a'), line('a')];
  const found = standingOf(log.slice(0, 2), (uid) => log.find((row) => row.uid === uid));
  const view = knowing({ audit: log.map((row) => ({ ...row, ...found.of(row) })) });
  expect([...takenBack(view)].sort()).toEqual(['a', 'b']);
});
