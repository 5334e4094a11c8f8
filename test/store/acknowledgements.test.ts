import { beforeEach, describe, expect, test } from 'vitest';
import { keptId } from '../../src/resources/identity.ts';
import type { Problem } from '../../src/resources/problems/rule.ts';
import type { StoredValues } from '../../src/store/kept/accountState.ts';
import { createAcknowledgements } from '../../src/store/problems/acknowledgements.ts';
import { memoryState } from './keptState.ts';

const hour = 3_600_000;
const problemOf = (id: string, further: Partial<Problem> = {}): Problem => ({
  id,
  severity: 'warning',
  rule: 'server-offline',
  resource: 'servers',
  params: { serverId: '1' },
  label: 'web-1',
  says: 'web-1 is offline',
  ...further,
});
const offline = problemOf('server-offline 1', { since: 5 });

let time: number;
beforeEach(() => {
  time = 1_000_000;
});

function open(file?: StoredValues) {
  const troubles: string[] = [];
  const acknowledgements = createAcknowledgements(
    () => time,
    file,
    (says) => troubles.push(says),
  );
  return { acknowledgements, troubles, isKnown: (problem: Problem) => acknowledgements.of(problem) !== undefined };
}

describe('an acknowledgement', () => {
  test('holds for its time, for the problem that it is about', () => {
    const { acknowledgements, isKnown } = open();
    acknowledgements.acknowledge([offline], 'known', hour);
    expect(acknowledgements.of(offline)).toMatchObject({ reason: 'known', at: 1_000_000, until: 1_000_000 + hour });
    expect(isKnown(problemOf('server-offline 2'))).toBe(false);
    time += hour - 1;
    expect(isKnown(offline)).toBe(true);
    time += 1;
    expect(isKnown(offline)).toBe(false);
  });

  test('until it changes ends with another severity or beginning, not with another wording', () => {
    const { acknowledgements, isKnown } = open();
    acknowledgements.acknowledge([offline], '', 'changed');
    expect(isKnown({ ...offline, says: 'web-1 is offline for 3 days' })).toBe(true);
    expect(isKnown({ ...offline, severity: 'critical' })).toBe(false);
    expect(isKnown({ ...offline, since: 6 })).toBe(false);
  });

  test('of a transfer that an earlier version named by its token has the id of now, and the token is kept no more', () => {
    const token = '123e4567-e89b-12d3-a456-426614174000';
    const problem = `transfer-expires ${token}`;
    const state = memoryState({ acknowledged: { [problem]: { problem, reason: 'it is theirs', at: 5 } } });
    const { isKnown } = open(state.session().of('acknowledged'));
    expect(isKnown(problemOf(`transfer-expires ${keptId({ id: 'token' }, token)}`))).toBe(true);
    expect(state.text()).not.toContain(token);
  });

  test('for good stays until it is taken back', () => {
    const { acknowledgements, isKnown } = open();
    acknowledgements.acknowledge([offline], '', 'never');
    time += 10 * 365 * 24 * hour;
    expect(isKnown({ ...offline, severity: 'critical' })).toBe(true);
    acknowledgements.remove([offline.id]);
    expect(isKnown(offline)).toBe(false);
  });
});

describe('kept for all sessions', () => {
  test('it is there in the next session, and of what has ended the last hundred', () => {
    const file = memoryState().of('acknowledged');
    const first = open(file);
    first.acknowledgements.acknowledge([offline], 'known', 'changed');
    first.acknowledgements.acknowledge([problemOf('short')], '', hour);
    expect(open(file).isKnown(offline)).toBe(true);
    time += hour;
    const many = Array.from({ length: 100 }, (_, nth) => problemOf(`later ${nth}`));
    first.acknowledgements.acknowledge(many, '', hour);
    time += hour;
    first.acknowledgements.acknowledge([problemOf('last')], '', hour);
    const kept = [offline, ...many, problemOf('last')].map(({ id }) => id);
    expect([...open(file).acknowledgements.getState().all.keys()]).toEqual(kept);
    expect(open(file).isKnown(problemOf('later 0'))).toBe(false);
  });

  test('what a session drops whose clock is ahead holds again in the next', () => {
    const file = memoryState().of('acknowledged');
    open(file).acknowledgements.acknowledge([offline, problemOf('other')], 'known', 4 * hour);
    time += 1000 * hour;
    const ahead = open(file);
    expect(ahead.isKnown(offline)).toBe(false);
    ahead.acknowledgements.acknowledge([problemOf('new')], '', hour);
    time -= 999 * hour;
    expect([offline, problemOf('other')].map(open(file).isKnown)).toEqual([true, true]);
    expect(open(file).isKnown(problemOf('new'))).toBe(false);
  });

  test('what another session has put there meanwhile stays', () => {
    const file = memoryState().of('acknowledged');
    const [one, other] = [open(file), open(file)];
    one.acknowledgements.acknowledge([problemOf('one')], '', hour);
    other.acknowledgements.acknowledge([problemOf('other')], '', hour);
    expect([...open(file).acknowledgements.getState().all.keys()]).toEqual(['one', 'other']);
  });

  test('what another session has acknowledged is seen, and what it has taken back', () => {
    const file = memoryState().of('acknowledged');
    const [one, other] = [open(file), open(file)];
    one.acknowledgements.acknowledge([offline], 'known', 'never');
    expect(other.isKnown(offline)).toBe(false);
    other.acknowledgements.refresh();
    expect(other.isKnown(offline)).toBe(true);
    other.acknowledgements.remove([offline.id]);
    one.acknowledgements.refresh();
    expect(one.isKnown(offline)).toBe(false);
  });

  test.each([
    ['no object', 1],
    ['of another problem', { problem: 'b', reason: '', at: 1 }],
    ['a time that is none', { problem: 'a', reason: '', at: 'yesterday' }],
    ['an end that is none', { problem: 'a', reason: '', at: 1, until: null }],
    ['a beginning that is none', { problem: 'a', reason: '', at: 1, as: {} }],
  ])('%s is left out, and the others hold', (_what, value) => {
    const own = { problem: offline.id, reason: '', at: 1 };
    const { isKnown, troubles } = open(
      memoryState({ acknowledged: { a: value, [offline.id]: own } }).of('acknowledged'),
    );
    expect([isKnown(problemOf('a')), isKnown(problemOf('b')), isKnown(offline)]).toEqual([false, false, true]);
    expect(troubles).toEqual([]);
  });

  test('where it cannot be written, that is said, and it holds until the end', () => {
    const state = memoryState();
    const file = state.of('acknowledged');
    const { acknowledgements, troubles, isKnown } = open(file);
    state.refuses = true;
    acknowledgements.acknowledge([offline, problemOf('gone')], '', hour);
    acknowledgements.remove(['gone']);
    expect(troubles).toEqual(['The disk is full.', 'The disk is full.']);
    acknowledgements.refresh();
    expect(isKnown(offline)).toBe(true);
    state.refuses = false;
    acknowledgements.acknowledge([problemOf('other')], '', hour);
    expect(isKnown(offline)).toBe(true);
    expect([...open(file).acknowledgements.getState().all.keys()]).toEqual([offline.id, 'other']);
  });
});
