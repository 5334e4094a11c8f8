import type { Rule } from './rule.ts';
import { volumeRules } from './volumes.ts';

/** Every rule that finds problems. */
export const rules: readonly Rule[] = [...volumeRules];
