import type { CommandDescription, CommandName } from './commands.ts';
import type { OptionValue } from './values.ts';

/** Options that work with the same commands, as the help shows them. */
export interface OptionGroup {
  /** The beginning of their lines in the help; general ones have half a line each, those of one command none. */
  title?: string;
  /** The commands that they work with; all by default. */
  commands?: readonly CommandName[];
  /** Named where they do not fit: `works only with …`. */
  only?: string;
}

const screen = ['dashboard', 'watch', 'doctor'] as const;

/** The groups of options. */
export const optionGroups = {
  general: {},
  screen: { title: 'On a full screen', commands: screen, only: 'a full screen' },
  snapshot: { commands: ['snapshot'], only: 'skydeck snapshot' },
  check: { commands: ['doctor', 'config'], only: 'skydeck doctor, skydeck config check and skydeck config show' },
  doctor: { commands: ['doctor'], only: 'skydeck doctor' },
  watch: { commands: ['watch'], only: 'skydeck watch' },
  plan: { commands: ['plan'], only: 'skydeck plan apply' },
  dns: { commands: ['dns'], only: 'skydeck dns' },
  export: { commands: ['export'], only: 'skydeck export' },
  demo: { title: 'With --demo and demo-api', only: '--demo or skydeck demo-api' },
  port: { commands: ['demo-api'], only: 'skydeck demo-api' },
} as const satisfies Record<string, OptionGroup>;

/** An option of the command line. */
export interface OptionDescription extends Pick<CommandDescription, 'brief' | 'meaning'> {
  group: keyof typeof optionGroups;
  /** Its letter after a single dash. */
  short?: string;
  /** Another letter, which other programs have for it. */
  alias?: string;
  /** Without a value it is a switch. */
  value?: OptionValue<unknown>;
  /** The words that its value may be with a command, where that differs. */
  wordsOf?: (command: CommandName) => readonly string[];
  /** It may be given several times, which is the same as once with commas between. */
  isList?: true;
  /** The commands that it works with, where they are more than those of its group. */
  commands?: readonly CommandName[];
  /** More precise than that of its group. */
  only?: string;
}
