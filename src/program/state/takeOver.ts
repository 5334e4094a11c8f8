import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../api/responseText.ts';
import { euuidOf } from '../../resources/account/account.ts';
import { isRow } from '../../resources/row.ts';
import { newKey } from '../../store/changes/undoable.ts';
import type { StoredKind } from '../../store/kept/accountState.ts';
import type { PlanStep } from '../../store/plans/plan.ts';
import { progressValue, stepValue } from '../../store/plans/storedPlan.ts';
import { reasonOf } from '../../text/errno.ts';
import { readPrivate, UnsafeFileError } from '../privateFile.ts';
import { freePath } from '../replaceFile.ts';
import type { LoginState } from './accounts.ts';
import { trustedState } from './database.ts';
import { StateError } from './failures.ts';
import type { State } from './state.ts';

type Entry = readonly [kind: StoredKind, key: string, value: unknown];

/** The content of a file of an earlier version. */
interface Taken {
  /** The account that it is of, where the file says it. */
  of?: { host?: string; euuid?: string };
  entries: readonly Entry[];
}

/** A kind of file in which earlier versions kept what the database keeps now. */
interface Former {
  name: (profile: string) => string;
  /** Its content; undefined where it is damaged. */
  takenFrom: (content: unknown) => Taken | undefined;
}

const formers: readonly Former[] = [
  {
    name: (profile) => `acknowledged-${profile}.json`,
    takenFrom: (content) =>
      Array.isArray(content) && content.every(isRow)
        ? { entries: content.map((one): Entry => ['acknowledged', String(one.problem), one]) }
        : undefined,
  },
  {
    name: (profile) => `views-${profile}.json`,
    takenFrom: (content) =>
      isRow(content) && [content.lists ?? {}, content.columns ?? {}].every(isRow)
        ? {
            entries: [
              ['view', 'place', content.place],
              ...valuesOf(content.lists).map(([key, value]): Entry => ['view', `list ${key}`, value]),
              ...valuesOf(content.columns).map(([key, value]): Entry => ['view', `columns ${key}`, value]),
            ],
          }
        : undefined,
  },
  { name: (profile) => `plan-${profile}.json`, takenFrom: planIn },
];

const valuesOf = (value: unknown): readonly [string, unknown][] => (isRow(value) ? Object.entries(value) : []);

function planIn(content: unknown): Taken | undefined {
  if (!isRow(content) || typeof content.host !== 'string' || !Array.isArray(content.steps)) return undefined;
  const { host, steps } = content;
  if (!steps.every(isRow)) return undefined;
  // Steps of older plans have no identity yet.
  const identified = steps.map((step) => ({ uid: newKey(), ...step }) as unknown as PlanStep);
  return {
    of: { host, euuid: euuidOf(content) },
    entries: identified.flatMap((step, place): readonly Entry[] => [
      ['plan', step.uid, stepValue(step, place)],
      ...(step.result ? [['progress', step.uid, progressValue(step)] as const] : []),
    ]),
  };
}

/** Takes over what earlier versions have kept of a profile in files, which are removed once it is in the database. Never throws. */
export function takeOver(state: State, profile: string, account: LoginState): void {
  for (const { name, takenFrom } of formers) {
    const file = join(state.directory, name(encodeURIComponent(profile)));
    if (!existsSync(file)) continue;
    try {
      const taken = takenFrom(parseJson(readPrivate(file, trustedState, state.owner).toString()));
      if (!taken) {
        const aside = freePath(`${file}.damaged`);
        renameSync(file, aside);
        state.notice(`${file} is damaged and was not taken over; it was set aside as ${aside}.`);
        continue;
      }
      if (account.takeOver(taken.of ?? {}, taken.entries)) rmSync(file, { force: true });
    } catch (error) {
      const isSentence = error instanceof StateError || error instanceof UnsafeFileError;
      const why = isSentence ? error.message : `${file} cannot be taken over: ${reasonOf(error)}.`;
      state.notice(why);
    }
  }
  removeFormerLists(state);
}

/** Removes the lists that earlier versions have kept, which the API has, too. Returns why some stay. */
export function removeFormerLists({ directory, owner }: State): readonly string[] {
  const former = join(directory, 'kept');
  const why: string[] = [];
  const tried = (path: string, act: () => void) => {
    try {
      act();
    } catch (error) {
      why.push(`${path}: ${reasonOf(error)}`);
    }
  };
  tried(former, () => {
    const found = lstatSync(former, { throwIfNoEntry: false });
    if (!found?.isDirectory() || (owner !== undefined && found.uid !== owner)) return;
    for (const path of readdirSync(former).map((name) => join(former, name)))
      if (/\.kept(\.\w+)?$/.test(path)) tried(path, () => unlinkSync(path));
    rmdirSync(former);
  });
  return why;
}
