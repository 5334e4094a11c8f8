import { redacted } from '../../api/redact.ts';
import type { Transition } from '../../store/problems/transitions.ts';
import type { Timestamp } from '../../text/times.ts';
import { problemRow } from '../boards/problemTable.ts';

/** A transition for programs. */
export const transitionDocument = (transition: Transition, profile: string, at: Timestamp) => ({
  on: transition.on,
  at: new Date(at).toISOString(),
  profile,
  ...(transition.on === 'job-ended' ? { job: redacted(transition.job) } : { problem: problemRow(transition.problem) }),
});
