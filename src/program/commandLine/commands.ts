import { boardNames } from '../../screens/watch/boardNames.ts';
import { codeFormatNames } from '../../store/export/formatNames.ts';
import type { WordSource } from './values.ts';

/** A command of the command line; its words are read in arguments.ts. */
export interface CommandDescription {
  /** Typed behind its name. */
  words: string;
  /** Its line in the help. */
  brief: string;
  /** Its meaning in the manual, as Markdown. */
  meaning: string;
  /** The words that there are, by their place. */
  offers?: readonly (WordSource | readonly string[])[];
  /** The only options that it has; others have all that belong to no other command. */
  options?: readonly string[];
  /** Command lines behind the program's name, and what each does. */
  examples: Readonly<Record<string, string>>;
  /** Called by scripts alone. */
  hidden?: true;
}

/** Boards that a snapshot can print, besides the areas. */
export const snapshotBoards = [
  'home',
  'problems',
  'activity',
  'managed',
  'fleet',
  'costs',
  'accounts',
  'journal',
  'audit',
  'requests',
] as const;

/** The boards of several parts, which `--section` names; CSV and JSON have them as the sections of rows. */
export const boardParts: Readonly<Record<string, readonly string[]>> = {
  home: ['problems', 'counts', 'happening now', 'last activity'],
  managed: ['problems', 'services', 'issues'],
  journal: ['sent from here', 'running', 'messages', 'changed meanwhile'],
};

/** The shells whose completion there is. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

/** The uses of the configuration. */
export const configTopics = ['check', 'show', 'edit', 'init', 'path', 'schema'] as const;

/** The options whose settings `config show` prints. */
const shownOptions: readonly string[] =
  'profile base-url read-only refresh theme colors no-color ascii mouse screen-reader no-cache log-file'.split(' ');

/** The uses of a plan file. */
export const planTopics = ['show', 'apply', 'schema'] as const;

/** The formats of what is printed for people and programs. */
export const plainFormats = ['text', 'json', 'jsonl', 'csv', 'tsv'] as const;

/** The words of `--format` with a command. */
export const formatsOf = (command: CommandName): readonly string[] =>
  command === 'export' ? [...codeFormatNames, 'csv', 'json'] : plainFormats;

/** The uses of zone files. */
export const dnsTopics = ['export', 'check', 'plan'] as const;

/** The uses of what is kept. */
export const cacheTopics = ['clear'] as const;

/** Every command; the first has no name. */
export const commands = {
  dashboard: {
    words: '[AREA[/ID]]',
    brief: 'open it, on an area or view: volumes/12',
    meaning: 'opens the dashboard, on that area, row or view: `home`, `fleet`, `volumes/12`, `servers/web-1`',
    offers: ['areas'],
    examples: {
      '--demo': 'looks around without an account',
      'servers --profile work': 'opens the servers of a profile',
      'volumes/12 --read-only': 'opens one row, and changes nothing',
    },
  },
  watch: {
    words: '[BOARD...]',
    brief: 'a wall monitor: board by board, read-only',
    meaning: `a monitor for the wall: shows one board after the other and changes nothing, whatever the token may do; boards are ${named(boardNames)}, and views`,
    offers: ['boards'],
    examples: {
      'watch problems servers --every 30': 'shows two boards in turn',
      'watch --jsonl | jq .severity': 'prints what comes and goes, for programs',
    },
  },
  snapshot: {
    words: '[AREA[/ID]]',
    brief: 'print once and exit, as a pipe gets it',
    meaning: `prints once and exits, for cron, pipes and CI: an area, a row, a list under a row (\`domains/12/records\`), a view, or ${named(snapshotBoards)}; \`requests\` are those of the log that \`--log-file\` names; where standard output is not a terminal, \`skydeck AREA\` prints the same as text, and takes none of its options`,
    offers: ['snapshotBoards'],
    examples: {
      'snapshot problems --fail-on critical': 'prints the problems, and exits with 1 where one is critical',
      "snapshot servers --filter 'tag:web cpu>80' --columns label,cpu": 'prints some rows and columns',
      'snapshot domains/example.com/records --format csv': 'prints a list under a row',
      'snapshot audit --since 1d --format jsonl': 'prints the changes of a day, each as a line',
      'snapshot journal --since 1d': 'prints what was sent, said and changed',
      'snapshot servers --watch 60': 'prints a line of JSON each minute',
    },
  },
  export: {
    words: '[AREA|VIEW]',
    brief: 'the account as code: Terraform, Ansible',
    meaning:
      'prints rows as other programs take them: `terraform-import` has blocks for all that the provider has a resource for, or for an area and what lies under it; `ansible`, `prometheus` and `ssh-config` have servers, `zone` domains. The text is the same for the same rows but for one line, which says when, from which API and by which filter it was made',
    offers: ['areas'],
    examples: {
      'export --format terraform-import --out import.tf': 'writes the blocks by which Terraform takes over the account',
      "export --format ansible --filter 'tag:web' > hosts.yml": 'prints an inventory of some servers',
      'export --format prometheus --out /etc/prometheus/servers.json': 'writes targets, whole or not at all',
      'export --format ssh-config > ~/.ssh/config.d/cloud': 'writes a Host of ssh for each server',
    },
  },
  ssh: {
    words: 'SERVER [-- WORD...]',
    brief: 'log in to a server as S does',
    meaning:
      'logs in to the server of this label, id or address as `S` does in the dashboard, or runs a command there and exits with its code',
    offers: ['servers'],
    examples: { 'ssh web-1': 'logs in', 'ssh web-1 -- uptime': 'runs a command there, and exits with its code' },
  },
  plan: {
    words: 'show|apply FILE',
    brief: 'print a saved plan of changes, or do them',
    meaning:
      '`show` prints a plan that `:plan save` wrote; `apply` carries it out, or with `--dry-run` says what would be refused; `schema` prints the JSON Schema of such files ([Plans in files](#plans-in-files))',
    offers: [planTopics, 'files'],
    examples: {
      'plan show plan.json': 'prints its steps',
      'plan apply plan.json --dry-run': 'says what would be refused',
      'plan apply plan.json --confirm 3': 'carries out its three steps, without a terminal',
    },
  },
  dns: {
    words: 'export|check|plan ...',
    brief: 'zones as zone files, as a plan',
    meaning:
      '`export ZONE...` prints zones as zone files; `check FILE...` tells each mistake of zone files as `FILE:LINE:COLUMN: …`, and exits with 2 where there is one; `plan FILE...` prints the plan that makes the zones as the files have them, or saves it by `--out`, and sends nothing ([Zone files](#zone-files))',
    offers: [dnsTopics, 'files'],
    examples: {
      'dns export example.com > example.com.zone': 'prints a zone as a zone file',
      'dns check example.com.zone': 'finds every mistake in it',
      'dns plan example.com.zone --out plan.json': 'saves the plan that makes the zone so',
    },
  },
  doctor: {
    words: '',
    brief: 'check config, token, clock and terminal',
    meaning: 'checks configuration, directory of state, programs, token, lists, clock, terminal and latency',
    examples: {
      'doctor --profile work': 'checks one profile, and exits with 1 where something is wrong',
      'doctor --bundle report.json': 'packs what tells of a defect',
    },
  },
  config: {
    words: 'check|show|edit',
    brief: 'its mistakes, what is in force',
    meaning:
      '`check [FILE]` prints every mistake as `FILE:LINE:COLUMN: …`, and exits with 2 where there is one; `show` prints each setting in force and where it comes from, and takes the options of the dashboard; `edit` opens it in `$EDITOR` and takes it once it has no mistakes; `init` prints a beginning as comments, `path` where it is, `schema` its JSON Schema, for editors',
    offers: [configTopics, 'files'],
    options: ['config', 'json', ...shownOptions],
    examples: {
      'config check': 'finds every mistake in the configuration',
      'config show --profile work': 'prints what is in force, and where it was said',
      'config init > ~/.config/skydeck/config.toml': 'begins one',
      'config schema > config.schema.json': 'tells an editor what may be written',
    },
  },
  cache: {
    words: '[clear]',
    brief: 'lists that are kept; clear removes them',
    meaning:
      'prints which lists are kept for the next start; `clear` removes them, with `--profile` only those of that profile',
    offers: [cacheTopics],
    options: ['profile'],
    examples: { 'cache clear --profile work': 'removes the lists that are kept of a profile' },
  },
  completion: {
    words: 'SHELL',
    brief: 'for bash, zsh, fish or powershell',
    meaning:
      'prints the script by which `bash`, `zsh`, `fish` or `powershell` completes commands, options and their values',
    offers: [shells],
    options: [],
    examples: {
      'completion bash > ~/.skydeck.bash': 'prints what `~/.bashrc` may source',
      'completion fish > ~/.config/fish/completions/skydeck.fish': 'completes in every fish that starts',
      'completion zsh > ~/.zfunc/_skydeck': 'completes in every zsh that has this folder in `fpath`',
    },
  },
  'demo-api': {
    words: '',
    brief: 'run only the demo API; --port NUMBER',
    meaning: 'runs only the demo API and prints its tokens',
    options: ['port', 'servers', 'latency', 'faults', 'seed'],
    examples: { 'demo-api --port 0 --servers 200': 'serves 200 servers at a free port' },
  },
  help: {
    words: '[COMMAND]',
    brief: 'a command with options and examples',
    meaning: 'prints commands and options, or those of one command with examples and exit codes, as `--help` does',
    offers: ['commands'],
    options: [],
    examples: { 'help snapshot': 'tells all about `snapshot`' },
  },
  version: { words: '', brief: 'the version', meaning: 'prints the version', options: [], examples: {} },
  complete: {
    words: '-- [WORD...]',
    brief: 'the words that may follow',
    meaning: 'prints the words that may follow',
    options: [],
    examples: {},
    hidden: true,
  },
} as const satisfies Record<string, CommandDescription>;

export type CommandName = keyof typeof commands;

/** The description of a command by its name. */
export const commandNamed = (name: CommandName): CommandDescription => commands[name];

/** The first words that name a command, without those for scripts. */
export const commandNames = (Object.keys(commands) as CommandName[]).filter(
  (name) => name !== 'dashboard' && !commandNamed(name).hidden,
);

/** A list of names in the manual. */
function named(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
