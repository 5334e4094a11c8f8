import type { CommandName } from './commands.ts';

/** The exit codes that the program chooses; `output` is EX_IOERR of sysexits.h. */
export const exit = { fine: 0, problems: 1, usage: 2, unreachable: 3, output: 74 } as const;

/** An exit code of the program. */
export interface ExitCode {
  code: string;
  /** The commands that end with it; all by default. */
  commands?: readonly CommandName[];
  /** For the help; the others are only in the manual. */
  brief?: string;
  meaning: string;
}

/** All exit codes. */
export const exitCodes: readonly ExitCode[] = [
  { code: '0', brief: 'fine', meaning: 'fine' },
  {
    code: '1',
    commands: ['doctor', 'snapshot', 'plan'],
    brief: 'problems',
    meaning:
      'problems found, by `doctor` or `snapshot --fail-on problem`; by `plan apply`, a step that failed or is refused',
  },
  { code: '2', brief: 'usage', meaning: 'usage or configuration, or a plan or zone file that cannot be read' },
  {
    code: '3',
    commands: ['dashboard', 'watch', 'snapshot', 'export', 'plan', 'dns', 'ssh'],
    brief: 'no API',
    meaning:
      'the API cannot be reached or refuses, or has nothing of the name or id that was given, or several of the name; or a part of a snapshot could not be read, or with --fail-on not be examined',
  },
  { code: '70', brief: 'crash', meaning: 'a crash; a redacted report says where' },
  {
    code: '74',
    brief: 'output not written',
    meaning: 'what was to be printed could not be written, as on a full disk',
  },
  {
    code: '128 and more',
    meaning: 'ended by a signal, with the terminal restored: 129 by SIGHUP, 130 by SIGINT, 143 by SIGTERM',
  },
];
