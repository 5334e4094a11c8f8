import { quoted } from '../../config/settingRules.ts';
import type { planTopics } from '../commandLine/commands.ts';
import { type Given, type OptionName, optionNames } from '../commandLine/options.ts';
import { UsageError } from '../rules.ts';

/** The words behind `plan`. */
export interface PlanFlags {
  topic: (typeof planTopics)[number];
  /** Empty with `schema`. */
  file: string;
}

/** Reads the words behind a use of plans. Throws a UsageError. */
export function planWords(topic: PlanFlags['topic'], words: readonly string[]): PlanFlags {
  const [file, ...surplus] = topic === 'schema' ? ['', ...words] : words;
  if (file === undefined) throw new UsageError(`skydeck plan ${topic} needs the file of a plan after it.`);
  const [tooMany] = surplus;
  if (tooMany !== undefined) throw new UsageError(`skydeck plan ${topic} needs no ${quoted(tooMany)}; leave it out.`);
  return { topic, file };
}

/** The options that make sense where no account is asked. */
const ofPrinting: readonly OptionName[] = ['format', 'ascii', 'no-color'];

/** Throws a UsageError for an option that does not fit a use of plans. */
export function checkPlan(topic: PlanFlags['topic'], given: Given): void {
  const used = optionNames.filter((name) => given[name] !== undefined);
  const surplus = used.find((name) => !ofPrinting.includes(name));
  if (surplus) throw new UsageError(`skydeck plan ${topic} takes no --${surplus}, so leave it out.`);
  const { format = 'text' } = given;
  if (format !== 'text' && format !== 'json')
    throw new UsageError(`skydeck plan show prints text or json; --format ${format} works only with skydeck snapshot.`);
}
