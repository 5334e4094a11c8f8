import { grouped } from '../../text/numbers.ts';
import { listed } from '../../text/words.ts';
import { memoize } from '../memoize.ts';
import type { Fold, Problem, Rule } from '../problems/rule.ts';
import { accountRules } from './account.ts';
import { balancerRules } from './balancers.ts';
import { domainRules, recordRules } from './domains.ts';
import { eventRules } from './events.ts';
import { imageRules } from './images.ts';
import { managedRules } from './managed.ts';
import { objectStorageRules } from './objectStorage.ts';
import { outageRules } from './outages.ts';
import { serverLoadRules } from './serverLoad.ts';
import { serverPartRules } from './serverParts.ts';
import { serverSafetyRules } from './serverSafety.ts';
import { serverStateRules } from './serverStates.ts';
import { ticketRules } from './tickets.ts';
import { transferRules } from './transfers.ts';
import { volumeRules } from './volumes.ts';

/** Every rule that finds problems, but for the user's own. */
export const rules: readonly Rule[] = [
  ...serverStateRules,
  ...serverLoadRules,
  ...serverSafetyRules,
  ...serverPartRules,
  ...volumeRules,
  ...imageRules,
  ...objectStorageRules,
  ...outageRules,
  ...balancerRules,
  ...domainRules,
  ...recordRules,
  ...managedRules,
  ...ticketRules,
  ...eventRules,
  ...accountRules,
  ...transferRules,
];

const byName = new Map(rules.map((rule) => [rule.name, rule]));
let users: readonly Rule[] = [];
let all = rules;

/** Replaces the rules of the configuration, and returns all that are in force from now on. */
export function setUserRules(theirs: readonly Rule[]): readonly Rule[] {
  if (users.length + theirs.length > 0) all = [...rules, ...theirs];
  users = theirs;
  return all;
}

/** The rules in force: those here, and those of the configuration. */
export const allRules = (): readonly Rule[] => all;

/** The rule of this name; undefined where there is none, as for a problem that an older version found. */
export const ruleNamed = (name: string): Rule | undefined =>
  byName.get(name) ?? users.find((rule) => rule.name === name);

/** So many problems of a kind are said by one sentence. */
const minFold = 3;

/** Problems in their order, each kind that has several of them as one in the place of its first. */
export const foldedProblems = memoize((problems: readonly Problem[]): readonly Problem[] => {
  const kinds = Map.groupBy(problems, kindOf);
  return problems.flatMap((problem) => {
    const same = kinds.get(kindOf(problem)) ?? [];
    const several = same.length < minFold ? undefined : ruleNamed(problem.rule)?.several;
    if (several === undefined) return [problem];
    return same[0] === problem ? [foldOf(problem, same, several)] : [];
  });
});

const kindOf = ({ rule, severity }: Problem): string => `${severity} ${rule}`;

/** A sentence about several problems: `{}` is their number, `{first}` what the first of them says, `{more}` how many others there are. */
export const saidOfSeveral = (several: string, of: readonly Problem[]): string =>
  several.replace(/\{(\w*)\}/g, (_, part) =>
    part === 'first' ? (of[0]?.says ?? '') : grouped(of.length - Number(part === 'more')),
  );

const foldOf = (first: Problem, of: readonly Problem[], several: string): Fold => ({
  ...first,
  id: `fold ${kindOf(first)}`,
  params: {},
  label: listed(of.map(({ label, named = label }) => named)),
  says: saidOfSeveral(several, of),
  of,
});
