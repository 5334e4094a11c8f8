import { quoted } from '../../config/settingRules.ts';
import type { dnsTopics, planTopics } from '../commandLine/commands.ts';
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
  refuseSurplus(`plan ${topic}`, surplus[0]);
  return { topic, file };
}

/** Throws a UsageError for a word too many. */
export function refuseSurplus(command: string, word: string | undefined): void {
  if (word !== undefined) throw new UsageError(`skydeck ${command} needs no ${quoted(word)}; leave it out.`);
}

/** The options that make sense where no account is asked. */
const ofPrinting: readonly OptionName[] = ['format', 'ascii', 'no-color'];

/** Throws a UsageError for an option that does not fit a use of plans. */
export function checkPlan(topic: PlanFlags['topic'], given: Given): void {
  const used = optionNames.filter((name) => given[name] !== undefined);
  const surplus = used.find((name) => (topic === 'apply' ? name === 'format' : !ofPrinting.includes(name)));
  if (surplus) throw new UsageError(`skydeck plan ${topic} takes no --${surplus}, so leave it out.`);
  if (given['dry-run'] && given.confirm !== undefined)
    throw new UsageError('--dry-run carries nothing out, so leave out --confirm.');
}

/** The words behind `dns`. */
export interface DnsFlags {
  topic: (typeof dnsTopics)[number];
  /** Zones with `export`, else files. */
  words: readonly string[];
}

/** Reads the words behind a use of zones. Throws a UsageError. */
export function dnsWords(topic: DnsFlags['topic'], words: readonly string[]): DnsFlags {
  if (words.length > 0) return { topic, words };
  throw new UsageError(`skydeck dns ${topic} needs ${topic === 'export' ? 'a zone' : 'a zone file'} after it.`);
}
