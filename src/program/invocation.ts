import type { DemoOptions } from '../demo/server.ts';
import type { CodeFormatName } from '../store/export/formatNames.ts';
import type { AreaTarget } from './areas.ts';
import type { CommandName, configTopics, shells } from './commandLine/commands.ts';
import type { ApplyFlags, DnsFlags, PlanFlags } from './plans/planWords.ts';
import type { UnknownWordError } from './rules.ts';

export type Format = 'text' | 'json' | 'jsonl' | 'csv' | 'tsv';

/** Of `snapshot`: how a list is shown, as a view has it in the configuration. */
export interface ListFlags {
  filter?: string;
  /** Only what is newer: an age or a date. */
  since?: string;
  sort?: string;
  columns?: string[];
  section?: string;
  limit?: number;
}

/** A server to log in to, and a command to run there in place of a shell. */
export interface SshOptions {
  server: string;
  command: readonly string[];
}

/** Options that override the environment and the configuration. */
export interface Options {
  demo: boolean;
  /** The address before the version in the paths. */
  baseUrl?: string;
  profile?: string;
  config?: string;
  readOnly: boolean;
  refreshSeconds?: number;
  theme?: string;
  colors?: string;
  ascii: boolean;
  noColor: boolean;
  mouse: boolean;
  screenReader: boolean;
  logFile?: string;
  /** The file in which requests and answers are recorded. */
  record?: string;
  /** A recording that stands for the account. */
  replay?: string;
  /** Lists are neither shown from before nor kept for the next start. */
  noCache: boolean;
}

/** The behaviour of the demo API. */
export type DemoFlags = Pick<DemoOptions, 'servers' | 'latencyMs' | 'faults' | 'seed'>;

/** The options of `watch`. */
export interface WatchFlags {
  /** The boards and views to show, in this order; by default all that have something to show. */
  boards?: readonly string[];
  /** Seconds for each board. */
  everySeconds: number;
  /** Ring the bell for a new critical problem. */
  bell: boolean;
  /** Show a desktop notification for one. */
  notify: boolean;
  /** Print a line for each transition instead of drawing boards. */
  jsonl: boolean;
}

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
  /** Of `export`: the format, where another program takes it, and what stands before the kinds of Terraform's provider. */
  code?: CodeFormatName;
  providerPrefix?: string;
  /** Of `snapshot`: exit with code 1 for a critical problem, or (`problem`) for a warning, too. */
  failOn?: 'problem' | 'critical';
  list: ListFlags;
  /** Of `snapshot`: it is taken again after so many seconds. */
  repeatSeconds?: number;
  /** Of `snapshot`: read long catalogues whole. */
  all: boolean;
  watch: WatchFlags;
  /** Of `demo-api`; 0 takes a free port. */
  port: number;
  /** Of `config` and `doctor`: one JSON document is printed. */
  json: boolean;
  /** Of `doctor`: the file that is written for a defect, and a recording that goes in. */
  bundle?: string;
  recording?: string;
  /** Of `config`, and the file that is checked instead of it. */
  topic?: (typeof configTopics)[number];
  file?: string;
  /** Of `cache`: what is kept is removed, not only listed. */
  clears?: boolean;
  /** Of `ssh`. */
  login?: SshOptions;
  plan?: PlanFlags;
  apply: ApplyFlags;
  dns?: DnsFlags;
  /** Of `dns`: the zone of the file. */
  zone?: string;
  /** Of `dns` and `export`: the file that is written. */
  out?: string;
  /** Of `completion`. */
  shell?: (typeof shells)[number];
  /** Of `complete`: the words that were typed; the last is to be completed. */
  typed?: readonly string[];
}
