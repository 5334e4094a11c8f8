import { accountRules } from './account.ts';
import { balancerRules } from './balancers.ts';
import { domainRules } from './domains.ts';
import { eventRules } from './events.ts';
import { imageRules } from './images.ts';
import { managedRules } from './managed.ts';
import { objectStorageRules } from './objectStorage.ts';
import { outageRules } from './outages.ts';
import { recordRules } from './records.ts';
import type { Rule } from './rule.ts';
import { serverLoadRules } from './serverLoad.ts';
import { serverPartRules } from './serverParts.ts';
import { serverSafetyRules } from './serverSafety.ts';
import { serverStateRules } from './serverStates.ts';
import { spfRules } from './spf.ts';
import { ticketRules } from './tickets.ts';
import { transferRules } from './transfers.ts';
import { volumeRules } from './volumes.ts';

/** Every rule that finds problems. */
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
  ...spfRules,
  ...managedRules,
  ...ticketRules,
  ...eventRules,
  ...accountRules,
  ...transferRules,
];

const byName = new Map(rules.map((rule) => [rule.name, rule]));

/** The rule of this name; undefined where there is none, as for a problem that an older version found. */
export const ruleNamed = (name: string): Rule | undefined => byName.get(name);
