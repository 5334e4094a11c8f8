import { beforeEach, describe, expect, test } from 'vitest';
import type { Problem } from '../../src/resources/problems/rule.ts';
import { createAcknowledgements, type StateFile } from '../../src/store/problems/acknowledgements.ts';

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

/** A file in memory, which may refuse. */
function fileOf(text?: string) {
  const file = { text, refuses: false };
  const handed: StateFile = {
    read: () => file.text,
    write: (next) => {
      if (file.refuses) throw new Error('The disk is full.');
      file.text = next;
    },
  };
  return Object.assign(file, { file: handed });
}

function open(file?: StateFile) {
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

  test('for good stays until it is taken back', () => {
    const { acknowledgements, isKnown } = open();
    acknowledgements.acknowledge([offline], '', 'never');
    time += 10 * 365 * 24 * hour;
    expect(isKnown({ ...offline, severity: 'critical' })).toBe(true);
    acknowledgements.remove([offline.id]);
    expect(isKnown(offline)).toBe(false);
  });
});

describe('in the file', () => {
  test('it is there in the next session, and what has ended is dropped', () => {
    const { file } = fileOf();
    const first = open(file);
    first.acknowledgements.acknowledge([offline], 'known', 'changed');
    first.acknowledgements.acknowledge([problemOf('short')], '', hour);
    expect(open(file).isKnown(offline)).toBe(true);
    time += hour;
    first.acknowledgements.acknowledge([problemOf('later')], '', hour);
    expect([...open(file).acknowledgements.getState().all.keys()]).toEqual([offline.id, 'later']);
  });

  test('what another session has put there meanwhile stays', () => {
    const { file } = fileOf();
    const [one, other] = [open(file), open(file)];
    one.acknowledgements.acknowledge([problemOf('one')], '', hour);
    other.acknowledgements.acknowledge([problemOf('other')], '', hour);
    expect([...open(file).acknowledgements.getState().all.keys()]).toEqual(['one', 'other']);
  });

  test.each([
    ['no JSON', '{'],
    ['no list', '{}'],
    ['a list of something else', '[1]'],
    ['a time that is none', '[{"problem":"a","reason":"","at":"yesterday"}]'],
    ['an end that is none', '[{"problem":"a","reason":"","at":1,"until":null}]'],
    ['a beginning that is none', '[{"problem":"a","reason":"","at":1,"as":{}}]'],
  ])('%s is said and left as it is', (_what, text) => {
    const kept = fileOf(text);
    const { acknowledgements, troubles, isKnown } = open(kept.file);
    expect(troubles).toEqual([expect.stringMatching(/damaged.*lost when you quit/)]);
    acknowledgements.acknowledge([offline], '', hour);
    acknowledgements.acknowledge([problemOf('other')], '', hour);
    expect(kept.text).toBe(text);
    expect([isKnown(offline), isKnown(problemOf('other'))]).toEqual([true, true]);
  });

  test('where it cannot be written, that is said, and it holds until the end', () => {
    const kept = fileOf();
    const { acknowledgements, troubles, isKnown } = open(kept.file);
    kept.refuses = true;
    acknowledgements.acknowledge([offline], '', hour);
    expect(troubles).toEqual(['The disk is full. Acknowledgements are lost when you quit.']);
    kept.refuses = false;
    acknowledgements.acknowledge([problemOf('other')], '', hour);
    expect(isKnown(offline)).toBe(true);
    expect(open(kept.file).isKnown(offline)).toBe(true);
  });
});
