import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Problem, Severity } from '../../src/resources/problems/rule.ts';
import type { Event, EventsState } from '../../src/store/events.ts';
import type { ProblemsState } from '../../src/store/problems/problems.ts';
import {
  createTransitions,
  isTold,
  jobTransitions,
  problemTransitions,
  quietMs,
  type Transition,
} from '../../src/store/problems/transitions.ts';
import { eventOf } from './openStores.ts';

const problemOf = (nth: number, severity: Severity = 'critical'): Problem => ({
  id: `server-down ${nth}`,
  severity,
  rule: 'server-down',
  resource: 'servers',
  params: { serverId: String(nth) },
  label: `web-${nth}`,
  says: `web-${nth} is ${severity}`,
});

const examined: ProblemsState = { problems: [], acknowledged: [], news: [], examinedAt: 1 };
const stateOf = (more: Partial<ProblemsState>): ProblemsState => ({ ...examined, ...more });

const told = (transitions: readonly Transition[]) =>
  transitions.map((one) => (one.on === 'job-ended' ? `${one.on} ${one.job.id}` : `${one.on}: ${one.problem.says}`));

const between = (before: Partial<ProblemsState>, after: Partial<ProblemsState>) =>
  told(problemTransitions(stateOf(before), stateOf(after), Number.POSITIVE_INFINITY).filter(isTold));

describe('a problem', () => {
  const [critical, warning, notice] = (['critical', 'warning', 'notice'] as const).map((one) => problemOf(1, one));
  const [bad, worse] = [warning, critical] as [Problem, Problem];
  const mild = notice as Problem;

  test('is told when it is new and when it is gone', () => {
    expect(between({}, { problems: [worse], news: [worse] })).toEqual(['critical: web-1 is critical']);
    expect(between({}, { problems: [bad], news: [bad] })).toEqual(['warning: web-1 is warning']);
    expect(between({ problems: [worse] }, {})).toEqual(['recovered: web-1 is critical']);
    expect(between({}, { problems: [mild], news: [mild] })).toEqual([]);
  });

  test('that was there before is found, and at the start it is nothing', () => {
    expect(between({}, { problems: [worse] })).toEqual(['found: web-1 is critical']);
    expect(between({ examinedAt: undefined }, { problems: [worse], news: [worse] })).toEqual([]);
  });

  test('that is acknowledged neither comes nor goes', () => {
    expect(between({ problems: [worse] }, { acknowledged: [worse] })).toEqual([]);
    expect(between({ acknowledged: [worse] }, {})).toEqual([]);
    expect(between({}, { acknowledged: [worse], news: [worse] })).toEqual([]);
    expect(between({ acknowledged: [worse] }, { problems: [worse] })).toEqual(['found: web-1 is critical']);
    expect(between({ acknowledged: [bad] }, { problems: [worse] })).toEqual(['critical: web-1 is critical']);
  });

  test('that becomes worse or better is told as what it is then', () => {
    expect(between({ problems: [bad] }, { problems: [worse] })).toEqual(['critical: web-1 is critical']);
    expect(between({ problems: [mild] }, { problems: [bad] })).toEqual(['warning: web-1 is warning']);
    expect(between({ problems: [worse] }, { problems: [bad] })).toEqual([
      'recovered: web-1 is critical',
      'warning: web-1 is warning',
    ]);
    expect(between({ problems: [worse] }, { problems: [mild] })).toEqual(['recovered: web-1 is critical']);
    expect(between({ problems: [worse] }, { problems: [{ ...worse, says: 'it is down' }] })).toEqual([]);
  });

  test('of a rule that was taken away has not recovered', () => {
    expect(between({ problems: [{ ...worse, rule: 'own-servers-gone' }] }, {})).toEqual([]);
  });
});

/** So many problems, each open, acknowledged or not there. */
const problemState = fc
  .array(fc.constantFrom<undefined | Severity | 'known'>(undefined, 'critical', 'warning', 'notice', 'known'), {
    minLength: 4,
    maxLength: 4,
  })
  .map((all) => {
    const problems = all.flatMap((one, nth) => (one === undefined || one === 'known' ? [] : [problemOf(nth, one)]));
    const acknowledged = all.flatMap((one, nth) => (one === 'known' ? [problemOf(nth)] : []));
    return { problems, acknowledged };
  });

test('what is open follows from what was open and the transitions since, but for what was acknowledged', () => {
  fc.assert(
    fc.property(fc.array(problemState, { minLength: 2, maxLength: 8 }), fc.boolean(), (states, isNews) => {
      const open = new Map(states[0]?.problems.map((one) => [one.id, one.severity]));
      for (const [nth, after] of states.slice(1).entries()) {
        const news = isNews ? after.problems : [];
        const all = problemTransitions(
          stateOf(states[nth] ?? {}),
          stateOf({ ...after, news }),
          Number.POSITIVE_INFINITY,
        );
        const transitions = all.filter(isTold);
        for (const one of transitions) {
          if (one.on === 'job-ended') throw new Error('no job is there');
          if (one.on === 'recovered') open.delete(one.problem.id);
          else open.set(one.problem.id, one.problem.severity);
        }
        for (const { id } of after.acknowledged) open.delete(id);
        const told = [...open].filter(([, severity]) => severity !== 'notice').sort();
        const there = after.problems.filter(({ severity }) => severity !== 'notice');
        expect(told).toEqual(there.map(({ id, severity }) => [id, severity]).sort());
        const counts = Map.groupBy(transitions, (one) => JSON.stringify(one));
        expect([...counts.values()].every(({ length }) => length === 1)).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

describe('a problem that comes and goes', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function open() {
    const problems = createStore<ProblemsState>(() => examined);
    const events = createStore<EventsState>(() => ({ events: [], polledAt: 1 }));
    const heard: Transition[] = [];
    const transitions = createTransitions({ problems, events, now: Date.now });
    transitions.subscribe((all) => void heard.push(...all));
    return {
      problems,
      poll: () => events.setState({ polledAt: Date.now() }),
      come: (problem: Problem) => problems.setState({ problems: [problem], news: [problem] }),
      go: () => problems.setState({ problems: [] }),
      pass: (minutes: number) => vi.advanceTimersByTime(minutes * 60_000),
      /** The transitions since the last time; repeated ones in brackets. */
      heard: () =>
        heard.splice(0).map((one) => {
          if (one.on === 'job-ended') throw new Error('no job is there');
          return one.isRepeat ? `(${one.on})` : one.on;
        }),
    };
  }

  test('is new once, as long as it is away for less than ten minutes', () => {
    const { come, go, pass, heard } = open();
    for (let turn = 0; turn < 6; turn++) {
      come(problemOf(1));
      pass(2);
      go();
      pass(2);
    }
    const again = ['(found)', '(recovered)'];
    expect(heard()).toEqual(['critical', 'recovered', ...again, ...again, ...again, ...again, ...again]);
    pass(quietMs / 60_000 - 2);
    come(problemOf(1));
    expect(heard()).toEqual(['critical']);
  });

  test('is new where it stays then, and is told to be gone only after that', () => {
    const { come, go, pass, poll, heard } = open();
    come(problemOf(1));
    go();
    come(problemOf(1));
    expect(heard()).toEqual(['critical', 'recovered', '(found)']);
    pass(9);
    poll();
    expect(heard()).toEqual([]);
    pass(1);
    poll();
    poll();
    go();
    expect(heard()).toEqual(['critical', 'recovered']);
  });

  test('is not told where it is acknowledged meanwhile', () => {
    const { problems, come, go, pass, poll, heard } = open();
    come(problemOf(1));
    go();
    come(problemOf(1));
    problems.setState({ problems: [], acknowledged: [problemOf(1)] });
    pass(10);
    poll();
    expect(heard()).toEqual(['critical', 'recovered', '(found)']);
  });

  test('is new by its severity', () => {
    const { problems, come, pass, heard } = open();
    come(problemOf(1, 'warning'));
    for (let turn = 0; turn < 2; turn++) {
      problems.setState({ problems: [problemOf(1)] });
      pass(1);
      problems.setState({ problems: [problemOf(1, 'warning')] });
    }
    expect(heard()).toEqual(['warning', 'critical', 'recovered', 'warning', '(found)', '(recovered)', 'warning']);
  });
});

test('a problem that began later than the session is new, also where its data are read only now', () => {
  const late = { ...problemOf(1), since: 5 };
  const first = (startedAt: number) =>
    told(problemTransitions(stateOf({ examinedAt: undefined }), stateOf({ problems: [late] }), startedAt));
  expect(first(5)).toEqual(['critical: web-1 is critical']);
  expect(first(6)).toEqual([]);
  expect(told(problemTransitions(examined, stateOf({ problems: [late] }), 5))).toEqual(['critical: web-1 is critical']);
  expect(told(problemTransitions(examined, stateOf({ problems: [late] }), 6))).toEqual(['found: web-1 is critical']);
});

test('a problem is later than the session by the clock of the API, whatever that of this machine says', () => {
  const hour = 3_600_000;
  const clock = { at: 10 * hour };
  const problems = createStore<ProblemsState>(() => stateOf({ examinedAt: undefined }));
  const events = createStore<EventsState>(() => ({ events: [], polledAt: 1 }));
  const api = { time: () => ({ from: clock.at + hour, to: clock.at + hour + 1000 }) };
  const transitions = createTransitions({ api, problems, events, now: () => clock.at });
  const heard: Transition[] = [];
  transitions.subscribe((all) => void heard.push(...all));
  // It is half an hour older than the session, which an hour too slow a clock does not tell.
  problems.setState({ problems: [{ ...problemOf(1), since: clock.at + hour / 2 }], examinedAt: 1 });
  expect(told(heard)).toEqual([]);
  clock.at += 5000;
  problems.setState({ problems: [...problems.getState().problems, { ...problemOf(2), since: clock.at + hour }] });
  expect(told(heard)).toEqual(['critical: web-2 is critical']);
});

describe('a job', () => {
  const job = (id: number, status: string) => eventOf(id, 'server_reboot', status, null) as Event;
  const eventsState = (events: readonly Event[]): EventsState => ({ events, polledAt: 1 });
  const ended = (before: EventsState, after: EventsState) => told(jobTransitions(before, after));

  test('has ended when it was in progress, or is new and over; what is no job, or older, has not', () => {
    const before = eventsState([job(7, 'finished'), job(5, 'started'), job(4, 'scheduled')]);
    const after = [job(9, 'failed'), job(8, 'notification'), job(7, 'finished'), job(5, 'finished'), job(4, 'started')];
    expect(ended(before, eventsState([...after, job(2, 'finished')]))).toEqual(['job-ended 5', 'job-ended 9']);
    expect(ended({ events: [] }, eventsState(after))).toEqual([]);
    expect(ended(eventsState([]), eventsState([job(1, 'finished')]))).toEqual(['job-ended 1']);
  });

  test('has not ended by a status that nobody knows, but by the one behind it, or as it is gone', () => {
    const job = (status: string | null): EventsState => ({
      polledAt: 1,
      events: [{ ...eventOf(1, 'server_boot', 'started', null), status } as Event],
    });
    expect(ended(job('started'), job('paused'))).toEqual([]);
    expect(ended(job('paused'), job('finished'))).toEqual(['job-ended 1']);
    expect(ended(job('started'), job(null))).toEqual(['job-ended 1']);
    expect(ended(job(null), job('finished'))).toEqual([]);
  });

  test('is told once, however the polls are cut', () => {
    // When each job begins and how long it takes; the moments at which the account is looked at.
    const jobs = fc.array(fc.record({ begins: fc.nat(20), takes: fc.integer({ min: 1, max: 8 }) }), { maxLength: 6 });
    fc.assert(
      fc.property(jobs, fc.uniqueArray(fc.nat(30), { minLength: 1, maxLength: 6 }), (all, polls) => {
        const inOrder = all.toSorted((one, other) => one.begins - other.begins);
        const eventsAt = (time: number) =>
          inOrder
            .flatMap(({ begins, takes }, nth) =>
              begins > time ? [] : [job(nth + 1, time < begins + takes ? 'started' : 'finished')],
            )
            .toReversed();
        const times = [...polls.toSorted((one, other) => one - other), 100];
        const seen = times.flatMap((time, nth) => {
          const last = times[nth - 1];
          return last === undefined ? [] : ended(eventsState(eventsAt(last)), eventsState(eventsAt(time)));
        });
        const wanted = inOrder.flatMap(({ begins, takes }, nth) =>
          begins + takes > (times[0] ?? 0) ? [`job-ended ${nth + 1}`] : [],
        );
        expect(seen.toSorted()).toEqual(wanted.toSorted());
      }),
      { numRuns: 300 },
    );
  });
});
