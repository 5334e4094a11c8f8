import { isoText } from '../../text/times.ts';
import type { SentRecord } from '../changeRecord.ts';
import { isRow, isTexts, type Resource, type Row, resource } from '../resource.ts';

/** One change, or the begin of a program or shell, as the audit log has it; in the documents' words, without secrets. */
export type AuditRow = Row &
  Partial<SentRecord> & {
    id: string;
    /** When it was about to be sent, in ms since the epoch; likewise `endedAt`. */
    at: number;
    /** When its outcome was written. */
    endedAt?: number;
    profile: string;
    /** Of the API that it was sent to; likewise `account`, the account's euuid: older lines lack both. */
    host?: string;
    account?: string;
    method?: string;
    path?: string;
    /** In a few words: `done`, `failed`; of a program, whose end is not written, `begun`; of a line that cannot be read, `damaged`. */
    outcome: string;
    status?: number;
    error?: string;
    /** The sentence that tells by what it was found done although its answer was lost. */
    evidence?: string;
    /** The name of a command of the user's own, and the program that it ran. */
    command?: string;
    run?: readonly string[];
    /** The program of a shell on a server. */
    shell?: readonly string[];
    /** The row is not known to be of this account: it leads nowhere, and its `resource` and `params` are left out. */
    isForeign?: true;
    /** It took another one back. */
    isBack?: true | undefined;
    /** It was taken back since; or done again since, which stands for it. */
    isTakenBack?: true | undefined;
    isPast?: true | undefined;
    /** The kind of its object, and its action, as screens call them. */
    kind?: string;
    help?: string;
    /** The request as a curl command, without the token. */
    curl?: string;
  };

export const isOwn = ({ isForeign, outcome }: AuditRow): boolean => isForeign !== true && outcome !== 'damaged';

/** Whether it is not known what became of it: its answer was lost, or is to come. */
export const isDoubtful = ({ outcome }: Row): boolean => /^(?:answer|aborted|pending)/.test(String(outcome));

const words = (value: unknown): string | undefined =>
  value === undefined ? undefined : typeof value === 'string' ? value : JSON.stringify(value);

/** The values that a change sets, `label: web → web-old`, nested ones by their dotted paths. */
function changedValues(body: unknown, before: unknown, path = ''): readonly string[] {
  if (!isRow(body)) return [];
  return Object.entries(body).flatMap(([name, after]) => {
    const was = isRow(before) && Object.hasOwn(before, name) ? before[name] : undefined;
    const own = path === '' ? name : `${path}.${name}`;
    if (isRow(after) && Object.keys(after).length > 0) return changedValues(after, was, own);
    if (isTexts(was) && isTexts(after)) {
      const parts = [
        ...after.filter((word) => !was.includes(word)).map((word) => `+${word}`),
        ...was.filter((word) => !after.includes(word)).map((word) => `−${word}`),
      ];
      if (parts.length > 0) return [`${own}: ${parts.join(' ')}`];
    }
    const [one, other] = [words(was), words(after)];
    if (one === other) return [];
    return [one === undefined || one === '' ? `${own}: ${other}` : `${own}: ${one} → ${other}`];
  });
}

/** An edit alone has the values before of what it sends; of all else the body is told. */
const valuesOf = ({ method, body, before }: AuditRow) => changedValues(body, method === 'PUT' ? before : undefined);

/** The row that is no more, where one was deleted. */
const lostValues = ({ method, before }: AuditRow) => (method === 'DELETE' ? changedValues(before, undefined) : []);

/** The action as screens call it; of a file that goes elsewhere than to the API, of which no more is written, its method and path. */
const actionOf = ({ help, command, shell, action, method }: AuditRow) =>
  help ?? command ?? (shell && 'Shell') ?? action ?? method;
const objectOf = ({ label, path }: AuditRow) => label ?? path;

/** Whose it is, in a word that a filter finds. */
const accountOf = (row: AuditRow): string | undefined =>
  row.outcome === 'damaged' ? undefined : isOwn(row) ? 'this one' : (row.account ?? 'not recorded');

const outcomeOf = ({ outcome, isTakenBack }: AuditRow): string => (isTakenBack ? 'taken back' : outcome);

const programOf = ({ run, shell }: AuditRow): string | undefined => (run ?? shell)?.join(' ');

/** The profile, or the host where none was used. */
const profileOf = ({ profile, host }: AuditRow): string => (profile === 'environment' && host) || profile;

/** The section with the lines of other accounts, and those that cannot be read; it is there where there are any. */
export const allAccounts = 'All accounts';

/** The title of the column that tells what became of a change. */
export const outcomeTitle = 'Outcome';

/** Of one account nothing tells rows apart by it. */
const ofOne = [
  'When',
  outcomeTitle,
  'Profile',
  'Action',
  'Object',
  'Kind',
  'Changed',
  'Method',
  'Status',
  'Path',
] as const;

/** The journal, of which every change that Skydeck sent is a row, the newest first; its screen has the rest. */
export const audit: Resource = resource<AuditRow>()({
  name: 'audit',
  one: 'change',
  many: 'Journal',
  area: 'Account',
  aliases: ['journal'],
  param: 'auditId',
  local: true,
  takenBack: true,
  screen: 'journal',
  named: true,
  label: (row) => [actionOf(row) ?? row.outcome, objectOf(row)].filter((part) => part !== undefined).join(': '),
  columns: [
    { title: 'When', value: 'at', format: 'age', keep: 1 },
    { title: outcomeTitle, value: outcomeOf, format: 'status', keep: 1 },
    { title: 'Profile', value: profileOf, format: 'dim', keep: 3, width: 16 },
    { title: 'Account', value: accountOf, keep: 1, width: 14 },
    { title: 'Action', value: actionOf, keep: 1, width: 24 },
    { title: 'Object', value: objectOf, keep: 1, width: 28 },
    { title: 'Kind', value: 'kind', format: 'dim', keep: 3, width: 18 },
    { title: 'Changed', value: (row) => valuesOf(row).join(', ') || programOf(row), keep: 2, width: 60 },
    { title: 'Method', value: 'method', format: 'text', keep: 3 },
    { title: 'Status', value: 'status', format: 'number', keep: 3 },
    { title: 'Path', value: 'path', keep: 3, width: 48 },
    { title: 'Host', value: 'host', format: 'dim', keep: 3, width: 24 },
  ],
  card: [
    { title: 'Account ID', value: 'account' },
    { title: 'Sent', value: ({ at }) => isoText(at) },
    { title: 'Answered', value: ({ endedAt }) => isoText(endedAt) },
    {
      title: 'Took',
      value: ({ at, endedAt }) => (endedAt === undefined ? undefined : (endedAt - at) / 1000),
      format: 'duration',
    },
    { title: 'Error', value: 'error', format: 'paragraph' },
    { title: 'Found', value: 'evidence', format: 'paragraph' },
    { title: 'Values', value: (row) => valuesOf(row).join('\n'), format: 'paragraph' },
    { title: 'Was', value: (row) => lostValues(row).join('\n'), format: 'paragraph' },
    { title: 'Program', value: programOf, format: 'paragraph' },
    { title: 'Request', value: 'curl', format: 'paragraph' },
  ],
  sections: [
    {
      title: 'Sent from here',
      aliases: ['audit log', 'log', 'changes'],
      only: isOwn,
      columns: ofOne,
      empty: 'Nothing was sent from here yet: changes, and the shells and commands that Skydeck runs, are listed here.',
    },
    { title: 'Running', aliases: ['under way', 'in flight'], only: () => false },
    { title: 'Messages', aliases: ['notices'], only: () => false },
    { title: 'Changed meanwhile', aliases: ['changed', 'since last time'], only: () => false },
    { title: allAccounts, only: () => true, empty: 'Nothing was sent from any account yet.' },
  ],
  copies: {
    path: ({ path }) => path,
    curl: ({ curl }) => curl,
    body: ({ body }) => (body === undefined ? undefined : JSON.stringify(body, undefined, 2)),
    error: ({ error }) => error,
    program: programOf,
  },
  paragraphs: ['curl', 'body'],
});
