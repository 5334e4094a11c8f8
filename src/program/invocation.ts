import type { DemoOptions } from '../demo/server.ts';
import type { CodeFormatName } from '../store/export/formatNames.ts';
import type { AreaTarget } from './areas.ts';
import type { CommandName, configTopics, plainFormats, shells } from './commandLine/commands.ts';
import type { Options } from './commandLine/options.ts';
import type { DnsFlags, PlanFlags } from './commandLine/readWords.ts';
import type { UnknownWordError } from './rules.ts';

export type { Options };

export type Format = (typeof plainFormats)[number];

/** Of `snapshot`: how a list is shown, as a view has it in the configuration. */
export interface ListFlags extends Pick<Options, 'filter' | 'since' | 'sort' | 'section' | 'limit'> {
  columns?: string[];
}

/** The behaviour of the demo API. */
export type DemoFlags = Pick<DemoOptions, 'servers' | 'latencyMs' | 'faults' | 'seed'>;

/** The parsed command line. */
export interface Invocation {
  /** Why words mean nothing where they are no views, which only the configuration tells. */
  unknown?: ReadonlyMap<string, UnknownWordError>;
  command: CommandName;
  /** Of `help`: the command whose help is wanted. */
  helpOf?: CommandName;
  target?: AreaTarget;
  options: Options;
  demo: DemoFlags;
  /** Of `snapshot`. */
  format: Format;
  /** Of `export`: the format, where another program takes it. */
  code?: CodeFormatName;
  list: ListFlags;
  /** Of `watch`: the boards and views to show, in this order; by default all that have something to show. */
  boards?: readonly string[];
  /** Of `config`, and the file that is checked instead of it. */
  topic?: (typeof configTopics)[number];
  file?: string;
  /** Of `cache`: what is kept is removed, not only listed. */
  clears?: boolean;
  /** Of `ssh`: a server to log in to, and a command to run there in place of a shell. */
  login?: { server: string; command: readonly string[] };
  plan?: PlanFlags;
  dns?: DnsFlags;
  /** Of `completion`. */
  shell?: (typeof shells)[number];
  /** Of `complete`: the words that were typed; the last is to be completed. */
  typed?: readonly string[];
}
