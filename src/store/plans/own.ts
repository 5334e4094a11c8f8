import { putAt } from '../../resources/body.ts';
import { at, type Row } from '../../resources/resource.ts';
import { isRow } from '../../resources/row.ts';
import { isSame } from '../rows.ts';
import type { Plan, PlanStep } from './plan.ts';
import { isSameValue, leavesOf } from './stale.ts';
import { type StepChange, sketchOf } from './stepChange.ts';

/** An earlier step about the same row. */
export interface OwnStep {
  id: number;
  change: StepChange;
  isDone: boolean;
}

/** The steps before one that are about the same row, in order. */
export function ownBefore({ steps }: Pick<Plan, 'steps'>, { id, record }: PlanStep): readonly OwnStep[] {
  const before = steps.slice(
    0,
    steps.findIndex((one) => one.id === id),
  );
  return before.flatMap((one) => {
    const isSameRow = one.record.resource === record.resource && isSame(one.record.params, record.params);
    const change = isSameRow ? sketchOf(one) : undefined;
    return change && !('why' in change) ? [{ id: one.id, change, isDone: one.result?.state === 'done' }] : [];
  });
}

/** A row as it would be without what steps of its plan have made of it; what others have made of that since stays. */
export function withoutOwn(row: Row, own: readonly Pick<OwnStep, 'change'>[]): Row {
  const without = structuredClone(row) as Record<string, unknown>;
  for (const { change } of own.toReversed()) {
    const { changes, body, before = {} } = change;
    const values = changes ? Object.entries(changes.set ?? {}) : leavesOf(isRow(body) ? body : {});
    for (const [name, sent] of values)
      if (isSameValue(change, name, at(without, name), sent)) putAt(without, name.split('.'), at(before, name));
    for (const name of Object.keys({ ...changes?.add, ...changes?.remove })) {
      const was = listAt(before, name);
      const [added, removed] = [listOf(changes?.add?.[name]), listOf(changes?.remove?.[name])];
      const kept = listAt(without, name).filter((one) => was.includes(one) || !added.includes(one));
      const back = removed.filter((one) => was.includes(one) && !kept.includes(one));
      putAt(without, name.split('.'), [...kept, ...back]);
    }
  }
  return without;
}

const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

const listAt = (row: Row, name: string): readonly string[] => listOf(at(row, name));
