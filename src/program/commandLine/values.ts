import { quoted } from '../../config/settingRules.ts';
import { faultNames } from '../../demo/engine/faultNames.ts';
import { UsageError } from '../rules.ts';

/** Where the words that may stand at a place of the command line come from. */
export type WordSource =
  | 'areas'
  | 'boards'
  | 'snapshotBoards'
  | 'profiles'
  | 'servers'
  | 'files'
  | 'commands'
  | 'filters'
  | 'columns';

/** An option as it is called in code: `baseUrl` of `base-url`. */
export type CamelCase<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The value of an option. */
export interface OptionValue<T> {
  /** As it is called in the help: `SECONDS`, or its words. */
  called: string;
  words?: readonly string[];
  source?: WordSource;
  /** Throws a UsageError with the rule; `option` begins the sentence: `--every`. */
  read: (text: string, option: string) => T;
}

/** Any text. */
export const text = (called: string, source?: WordSource): OptionValue<string> => ({
  called,
  source,
  read: (given) => given,
});

/** A text that obeys a rule, which returns the mistake as the end of a sentence. */
export const ruledText = (called: string, rule: (text: string) => string | undefined): OptionValue<string> => ({
  called,
  read: (given, option) => {
    const wrong = rule(given);
    if (wrong) throw new UsageError(`${option} ${wrong}.`);
    return given;
  },
});

/** One of these words. */
export const oneOf = <const W extends string>(words: readonly W[], called = words.join('|')): OptionValue<W> => ({
  called,
  words,
  read: (given, option) => {
    const found = words.find((word) => word === given);
    if (found) return found;
    const choice = words.length > 1 ? `one of ${words.join(', ')}` : words[0];
    throw new UsageError(`${option} must be ${choice}; it is ${quoted(given)}.`);
  },
});

/** A whole number from `min` to `max`. */
export const wholeNumber = (
  called: string,
  min: number,
  max: number,
  what = 'a whole number',
): OptionValue<number> => ({
  called,
  read: (given, option) => {
    if (/^\d+$/.test(given) && Number(given) >= min && Number(given) <= max) return Number(given);
    throw new UsageError(`${option} must be ${what} from ${min} to ${max}; it is ${quoted(given)}.`);
  },
});

/** Seconds between two readings. */
export const refreshSeconds: OptionValue<number> = {
  called: 'SECONDS',
  read: (given, option) => {
    const seconds = Number(given);
    if (seconds >= 1 && seconds <= 3600) return seconds;
    const it = quoted(Number.isNaN(seconds) ? given : seconds);
    throw new UsageError(`${option} must be a number of seconds from 1 to 3600; it is ${it}.`);
  },
};

/** Where a secret of a step is, as openssl says it for its passwords. */
export interface SecretSource {
  step: number;
  /** The dotted path of the field. */
  name: string;
  from: 'env' | 'file' | 'fd';
  /** The name of a variable, the path of a file or the number of a descriptor. */
  of: string;
}

/** Where secrets of steps are. */
export const secretList: OptionValue<readonly SecretSource[]> = {
  called: 'STEP.FIELD=SOURCE',
  read: (given, option) =>
    given.split(',').map((entry) => {
      const [, step, name = '', source = ''] = /^(\d{1,7})\.([\w.-]+)=(.+)$/s.exec(entry) ?? [];
      const [, from, of = ''] = /^(env|file|fd):(.+)$/s.exec(source) ?? [];
      if (step === undefined)
        throw new UsageError(
          `${option} must be STEP.FIELD=SOURCE, several with commas, as in 1.root_pass=env:NAME, file:FILE or fd:N.`,
        );
      if (from === undefined || (from === 'fd' && !/^\d{1,6}$/.test(of)))
        throw new UsageError(
          `${option} names where a secret is, never the secret itself, because every user of the machine sees the options of a process: ${step}.${name}=env:NAME, file:FILE or fd:N.`,
        );
      return { step: Number(step), name, from: from as SecretSource['from'], of };
    }),
};

/** Faults of the demo API, each with its share of the requests. */
export const faultList: OptionValue<readonly string[]> = {
  called: 'LIST',
  words: faultNames,
  read: (given, option) => given.split(',').map((entry) => fault(entry, option)),
};

function fault(entry: string, option: string): string {
  const [name = '', share, ...more] = entry.trim().split(':');
  const shareFits = share === undefined || (/^(0?\.\d+|[01](\.0+)?)$/.test(share) && more.length === 0);
  if (faultNames.some((known) => known === name) && shareFits) return entry.trim();
  throw new UsageError(
    `${option} must be a list with commas of ${faultNames.join(', ')}, each with a share from 0 to 1 if wanted (errors:0.2); ${quoted(entry)} is not.`,
  );
}
