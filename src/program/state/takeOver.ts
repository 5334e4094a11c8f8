import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync, rmSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../../api/responseText.ts';
import { isRow } from '../../resources/row.ts';
import type { AccountState, KeptKind } from '../../store/kept/accountState.ts';
import { reasonOf } from '../../text/errno.ts';
import { StateError } from './failures.ts';
import { readPrivate } from './privateFile.ts';
import type { State } from './state.ts';

type Entries = readonly (readonly [key: string, value: unknown])[];

/** A kind of file in which earlier versions kept what the database keeps now. */
interface Former {
  name: (profile: string) => string;
  kind: KeptKind;
  /** Its values by key; undefined where it is damaged. */
  entriesIn: (content: unknown) => Entries | undefined;
}

const formers: readonly Former[] = [
  {
    name: (profile) => `acknowledged-${profile}.json`,
    kind: 'acknowledged',
    entriesIn: (content) =>
      Array.isArray(content) ? content.flatMap((one) => (isRow(one) ? [[String(one.problem), one]] : [])) : undefined,
  },
  {
    name: (profile) => `views-${profile}.json`,
    kind: 'view',
    entriesIn: (content) =>
      isRow(content)
        ? [
            ['place', content.place],
            ...entriesOf(content.lists).map(([key, value]) => [`list ${key}`, value] as const),
            ...entriesOf(content.columns).map(([key, value]) => [`columns ${key}`, value] as const),
          ]
        : undefined,
  },
];

const entriesOf = (value: unknown): Entries => (isRow(value) ? Object.entries(value) : []);

/** Takes over what earlier versions have kept of a profile in files, which are removed once it is in the database. Never throws. */
export function takeOver(state: State, profile: string, account: AccountState): void {
  for (const { name, kind, entriesIn } of formers) {
    const file = join(state.directory, name(encodeURIComponent(profile)));
    if (!existsSync(file)) continue;
    try {
      const entries = entriesIn(parseJson(readPrivate(file, state.owner)));
      if (!entries) {
        renameSync(file, `${file}.damaged`);
        state.notice(`${file} is damaged and was not taken over; it was set aside as ${file}.damaged.`);
        continue;
      }
      // A value that was kept since is the newer one.
      account.of(kind).change((kept) => entries.filter(([key, value]) => value !== undefined && !kept.has(key)));
      rmSync(file, { force: true });
    } catch (error) {
      const why = error instanceof StateError ? error.message : `${file} cannot be taken over: ${reasonOf(error)}.`;
      state.notice(why);
    }
  }
  removeFormerLists(state);
}

/** Removes the lists that earlier versions have kept, which the API has, too. Returns why some stay. */
export function removeFormerLists({ directory, owner }: State): readonly string[] {
  const former = join(directory, 'kept');
  const found = lstatSync(former, { throwIfNoEntry: false });
  if (!found?.isDirectory() || (owner !== undefined && found.uid !== owner)) return [];
  const why: string[] = [];
  for (const path of [...readdirSync(former).map((name) => join(former, name)), former])
    try {
      if (path === former) rmdirSync(path);
      else if (/\.kept(\.\w+)?$/.test(path)) unlinkSync(path);
    } catch (error) {
      why.push(`${path}: ${reasonOf(error)}`);
    }
  return why;
}
