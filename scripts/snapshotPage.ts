import { boardParts } from '../src/program/commandLine/commands.ts';
import { isPrinted } from '../src/program/printedColumns.ts';
import { fetchedFor } from '../src/resources/index.ts';
import type { Column, Resource } from '../src/resources/resource.ts';
import { isGradual } from '../src/store/reading.ts';
import { code, pageHead, plain, table } from './markdown.ts';
import { examples, schemas } from './snapshotSchemas.ts';

const boards = [
  [
    'home',
    'problems, how many of everything have which status, what goes on, the last activity',
    'what the rules of problems look at, and the newest events',
  ],
  [
    'problems',
    'what is wrong with the account, the most urgent first',
    'what the rules of problems look at, and the newest events',
  ],
  ['activity', 'the 100 newest events', 'one page of events; the area `events` has all of them'],
  [
    'managed',
    'the services that are watched, and the issues',
    'the two lists, and for text what their columns look at',
  ],
  [
    'fleet',
    'the newest load of each server, the busiest first: CPU in percent of all its CPUs, network, I/O',
    'the servers, and the statistics of 100 of them at most',
  ],
  [
    'costs',
    'what is charged for by tag, by area and by row: what is known, idle, off, unattached, and what the API does not tell; CSV has the rows alone',
    'the lists of what is charged for, the account, the newest events, and the load and transfer of 100 servers at most',
  ],
  [
    'accounts',
    'each profile of the configuration, or those of `--profile`: whether it could be read, its problems by severity, what goes on, servers, money; as `skydeck accounts` does in a pipe',
    'what the rules of problems look at, the newest events, the servers and the account of each',
  ],
  [
    'journal',
    'what the account has been sent from this machine, what its sessions are carrying out and have said, and what differs from the lists that were kept',
    'the lists that are kept, once more; of this machine the audit log and the state',
  ],
  [
    'audit',
    'each change of the audit log with its outcome, the newest first, of all accounts or the named profile',
    'no account: the files of the audit log',
  ],
  ['requests', 'each request of the log that `--log-file` names, the newest first', 'no account: that file'],
] as const;

const boardPartWords = Object.entries(boardParts)
  .map(([name, parts]) => `of \`${name}\` ${parts.map(code).join(', ')}`)
  .join('; ');

const formats = [
  '**text** is for people: aligned, in the order of the screen, without escape sequences. On a terminal long values are cut, and where it is too narrow the less important columns are left out; in a pipe all columns are printed whole.',
  '**jsonl** is a line of JSON for each of these rows, and **tsv** the same as CSV with tabs between and each row in one line.',
  '**json** is for programs: one document, described below. The rows of an area are those of the API in the words of its documents; a secret reads `[redacted]`. Characters that would steer a terminal or hide text are written as `\\u` escapes. Fields may be added; none goes away or changes its meaning.',
  "**csv** is RFC 4180: CRLF at the end of lines, quotes where they are needed, titles in the first line. A text that a spreadsheet would take for a formula (it begins with `=`, `+`, `-`, `@`, a tab or a carriage return) gets a `'` before it; numbers stay numbers. Where problems are examined, boards have them as rows of the section `problems`, and areas leave them out.",
];

const exits = [
  ['0', 'printed as a whole, and with `--fail-on` nothing is that bad'],
  [
    '1',
    '`--fail-on problem`: a problem is critical or a warning; `--fail-on critical`: one is critical. Notices never count, and what somebody has acknowledged is none',
  ],
  ['2', 'the command line or the configuration is wrong; nothing is asked'],
  [
    '3',
    'the API has no row of the id or label that was given, or several; or a part could not be read: each has a sentence on standard error and in `missing`, and the rest is printed. This stands above 1: what was not read may be worse',
  ],
] as const;

/** The page of snapshots: the content of each area and format, and the schemas of the documents. */
export function snapshotPage(areas: readonly Resource[]): string {
  const long = areas.filter(({ list }) => list && isGradual(list));
  return [
    pageHead(
      'Snapshots',
      '`skydeck snapshot [AREA|VIEW|BOARD] [OPTION...]` reads once, prints and exits; `skydeck help snapshot` has the options. Nothing but GET leaves. `AREA/ID` prints one row, `AREA/ID/LIST` a list under it, as in `domains/example.com/records`; where ids are numbers, a label names the row as well.',
    ),
    '## Formats',
    ...formats,
    '## Filters, orders, columns',
    `An area, a list under a row and a view take \`--filter\`, \`--sort\`, \`--columns\`, \`--section\` and \`--limit\`, with the names and the grammar of the screen ([filters](manual.md#filters)). What they look at is read first, about 100 rows at most. \`fleet\` takes those of servers, and reads the load of the rows that are left. \`problems\` and \`accounts\` take \`--filter\`, \`--sort\` and \`--limit\`; \`home\`, \`managed\` and \`journal\` take \`--section\`, which prints one of their parts: ${boardPartWords}. \`--since 1d\` is the short form for \`journal\`, \`audit\`, \`requests\`, \`activity\`, \`events\` and \`problems\`. JSON has whole rows whatever the columns are.`,
    '`--watch 30` takes it again each 30 seconds and prints each document as one line, with its time as `takenAt`, until a signal ends it; what is missing is told as ever, and ends nothing.',
    '## Exit codes',
    table(['Code', 'Meaning'], exits),
    'With `--fail-on`, the rules that look at an area and at what lies under it are examined, which reads more than the area itself; `home` and `problems` examine all rules in any case. What is asked about single rows, like the records of each domain, is limited to 150 requests, those of the rules of the configuration first: rows for which there is no room are named as not examined (`transfer of 50 of 200 servers`). That is no failure, but where a rule of the configuration that would fail the run was not examined wholly: then the exit code is 3.',
    '## Several accounts',
    '`--profile a,b` reads several accounts at once and prints them as one: text and CSV have a column ACCOUNT, rows and problems of JSON a member `account`, and its `accounts` are the profiles. Events are in the order of their times and the fleet in that of its load, all else is one account after the other; as text, so are the boards `home` and `managed`, under a line `== PROFILE`. An account that cannot be opened or does not answer within ten seconds is missing, with the exit code 3, and the others are printed. Address and token are those of each profile, whatever the environment says.',
    '## Boards',
    table(
      ['Board', 'Shows', 'Reads'],
      boards.map(([name, shows, reads]) => [code(name), shows, reads]),
    ),
    '## Areas',
    `An area reads its own list, page by page, and for text and CSV the lists at which its columns look. ${long.map(({ many }) => plain(many)).join(' and ')} would be thousands of rows with those of everybody: only the account's own are read, and with \`--all\` the others as well. A column that counts what could not be read is left out, and so is one that takes a request for each row (marked *) where there are more than 100 rows. Text in a pipe and CSV have these columns:`,
    table(['Area', 'Columns', 'Also read'], areas.map(areaRow)),
    '## Documents',
    'Each is described by JSON Schema (2020-12), with an example.',
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      `### ${name === 'AREA' ? 'Any area' : code(name)}`,
      block(schema),
      block(examples[name as keyof typeof schemas]),
    ]),
    '',
  ].join('\n\n');
}

/** The columns of a list that are printed where its rows are few. */
function listColumns(columns: readonly Column[]): readonly Column[] {
  const asked = fetchedFor(columns.filter(isPrinted));
  return columns.filter(({ fetches }) => fetches === undefined || asked.includes(fetches));
}

const areaRow = ({ name, columns, reads = [] }: Resource): readonly string[] => [
  code(name),
  listColumns(columns)
    .map(({ title, fetches }) => plain(title) + (fetches ? '*' : ''))
    .join(', '),
  reads.map(code).join(', '),
];

const block = (value: unknown): string => `\`\`\`json\n${jsonText(value)}\n\`\`\``;

/** JSON with each object and list on one line where it fits. */
function jsonText(value: unknown, indent = ''): string {
  const flat = JSON.stringify(value, null, 1).replace(/\n */g, ' ');
  if (value === null || typeof value !== 'object' || indent.length + flat.length <= 110) return flat;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => jsonText(item, inner))
    : Object.entries(value).map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}
