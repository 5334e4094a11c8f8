import { imageRules } from './images.ts';
import { objectStorageRules } from './objectStorage.ts';
import { outageRules } from './outages.ts';
import type { Rule } from './rule.ts';
import { serverLoadRules } from './serverLoad.ts';
import { serverPartRules } from './serverParts.ts';
import { serverSafetyRules } from './serverSafety.ts';
import { serverStateRules } from './serverStates.ts';
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
];
