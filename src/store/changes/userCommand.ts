import { type ErrorKind, notSent } from '../../api/error.ts';
import { redacted, redaction, redactorOf } from '../../api/redact.ts';
import { idIn } from '../../resources/identity.ts';
import { argvOf, fillingOf, type Program } from '../../resources/placeholders.ts';
import type { Params, Row } from '../../resources/row.ts';
import { cut } from '../../text/cells.ts';
import { withoutStop } from '../../text/words.ts';
import type { PrintedProgram, Programs } from '../machine.ts';
import type { Stores } from '../stores.ts';
import { type Change, type Output, type Result, resultOf } from './change.ts';
import type { UnderWay } from './pendingChanges.ts';

type CommandStores = Pick<Stores, 'api' | 'programs' | 'now'>;

/** Reads what a command of the user's own asks for; the answer is shown and not kept. */
export async function readAnswer({ api }: CommandStores, change: Change, { signal }: UnderWay): Promise<Result> {
  const { action, params } = change;
  const { body } = await api.send(action, { params, signal });
  return { ...resultOf(change, 'done'), output: { lines: [], droppedBytes: 0, value: redacted(body) } };
}

/** Runs the program of a command on one row. Rejects with an ApiError where it must not be run. */
export async function runProgram(stores: CommandStores, change: Change, underWay: UnderWay): Promise<Result> {
  const { api, programs } = stores;
  const { action, label } = change;
  const { program } = action;
  const refused = (message: string, kind: ErrorKind = 'malformed') => notSent(action, kind, message);
  if (!program || !programs) throw refused('No program can be run here.');
  if (api.readOnly && !action.harmless)
    throw refused('Nothing was run, because nothing may be changed in a read-only session.', 'read-only');
  const found = argvOf(program, fillingOf(change), label);
  if ('wrong' in found) throw refused(`Nothing was run: ${found.wrong}.`);
  if (!action.harmless) await record(stores, change, program);
  if (program.show === 'terminal') {
    const { code, says } = await programs.onTerminal(found.argv);
    return resultOf(change, code === 0 ? 'done' : 'failed', says);
  }
  const ending = await runPrinted({ ...stores, programs }, found.argv, change, program, underWay);
  const { lines, droppedBytes, ms, says } = ending;
  const output: Output = { lines, droppedBytes, ms, ending: says };
  return { ...resultOf(change, ending.code === 0 ? 'done' : 'failed', saysOf(ending, program)), output };
}

/** Notes a program in the audit log before it is run. */
async function record({ programs }: CommandStores, change: Change, program: Program): Promise<void> {
  const { action, resource, params, label } = change;
  try {
    await programs?.record({
      command: action.name,
      for: resource.name,
      id: idIn(resource, redacted(params) as Params),
      run: writtenProgram(program, fillingOf(change), redactorOf(params)(label)),
    });
  } catch (error) {
    throw notSent(action, 'unrecorded', (error as Error).message);
  }
}

/** Lines that have come are shown so often, in milliseconds. */
const showEveryMs = 100;

async function runPrinted(
  { programs, now }: Pick<CommandStores, 'now'> & { programs: Programs },
  argv: readonly string[],
  { row = {} }: Change,
  { timeoutMs }: Program,
  { signal, show }: UnderWay,
): Promise<PrintedProgram> {
  const lines: string[] = [];
  let shownAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const showLines = () => {
    clearTimeout(timer);
    timer = undefined;
    shownAt = now();
    show({ output: { lines: [...lines], droppedBytes: 0 } });
  };
  const onLines = (more: readonly string[]) => {
    for (const line of more) lines.push(line);
    if (now() - shownAt >= showEveryMs) showLines();
    else timer ??= setTimeout(showLines, showEveryMs);
  };
  const input = `${JSON.stringify(redacted(row), null, 2)}\n`;
  try {
    return await programs.run(argv, { input, timeoutMs, signal, onLines });
  } finally {
    clearTimeout(timer);
  }
}

/** Lines of the output that a notice has room for, and their letters. */
const maxLines = 3;
const maxLetters = 300;

/** A sentence about how a program ended, with the first lines of its output; the first line alone where all went well. */
function saysOf({ code, says, lines }: PrintedProgram, { show }: Program): string {
  const first = lines.map((line) => line.trim()).filter((line) => line !== '');
  if (code === 0) return (show === 'notice' && first[0] ? cut(first[0], maxLetters) : undefined) ?? says;
  const head = cut(first.slice(0, maxLines).join(' · '), maxLetters);
  return head === '' ? says : `${withoutStop(says)}: ${head}`;
}

const named = /^(-{0,2}[\w-]*(?:pass(?:word|wd)?|secret|token|api-?key)[\w-]*[=:]\s*).+$/i;
const header = /^(authorization:\s*)(?:\w+\s+)?.+$/i;
const inAddress = /(\/\/[^/@\s:]*:)[^/@\s]+(?=@)/g;
const option = /^-{1,2}[\w-]*(?:pass(?:word|wd)?|secret|token|api-?key)$/i;

/** A program and its arguments for a row as they may be shown and kept; as they are written where they cannot be filled in. */
export function writtenProgram(program: Program, row: Row, label: string): readonly string[] {
  const found = argvOf(program, redacted(row) as Row, label);
  return withoutSecrets('wrong' in found ? program.argv : found.argv);
}

/** An argument vector without what is called a secret in it: `--password=…`, `--token …`, `https://me:…@host`. */
const withoutSecrets = (argv: readonly string[]): readonly string[] =>
  argv.map((word, index) => {
    if (option.test(argv[index - 1] ?? '') && !word.startsWith('-')) return redaction;
    return word.replace(named, `$1${redaction}`).replace(header, `$1${redaction}`).replace(inAddress, `$1${redaction}`);
  });
