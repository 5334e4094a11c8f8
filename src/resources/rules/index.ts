import type { Rule } from '../problems/rule.ts';
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
let own: readonly Rule[] = [];
let all = rules;

/** Replaces the rules of the configuration, and returns all that are in force from now on. */
export function setUserRules(theirs: readonly Rule[]): readonly Rule[] {
  if (own.length + theirs.length > 0) all = [...rules, ...theirs];
  own = theirs;
  return all;
}

/** The rules in force: those here, and those of the configuration. */
export const allRules = (): readonly Rule[] => all;

/** The rule of this name; undefined where there is none, as for a problem that an older version found. */
export const ruleNamed = (name: string): Rule | undefined => byName.get(name) ?? own.find((rule) => rule.name === name);
