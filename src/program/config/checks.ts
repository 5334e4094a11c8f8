import type { ConfigCheck } from '../../config/parseConfig.ts';
import { checkCommands } from './checkCommands.ts';
import { checkGuards } from './checkGuards.ts';
import { checkKeys } from './checkKeys.ts';
import { checkProfiles } from './checkProfiles.ts';
import { checkRules } from './checkRules.ts';
import { checkSsh } from './checkSsh.ts';
import { checkViews } from './checkViews.ts';

/** The checks of the configuration that need the descriptions, the filter or the keys. */
export const configChecks: readonly ConfigCheck[] = [
  checkCommands,
  checkGuards,
  checkKeys,
  checkProfiles,
  checkRules,
  checkSsh,
  checkViews,
];
