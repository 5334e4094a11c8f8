import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The command, the file and the signal that an editor is run with. */
export interface EditOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** When the editor is to end, whatever was typed in it. */
  signal?: AbortSignal;
  /** The end of the file's name, so that the editor knows its kind: `.sh`. */
  suffix?: string;
  /** The line at which an editor opens it that can be told so, counted from 1. */
  line?: number;
}

/** An editor that is told to end has so many milliseconds for it. */
const patience = 2_000;

/** A shell answers these when a command cannot be run or is not found. */
const notStarted = [126, 127];

/**
 * Has the user edit a text in `$VISUAL` or `$EDITOR` (else vi), in a file that nobody else can read and that is gone afterwards.
 * It has the terminal for itself meanwhile.
 * Answers the new text, or undefined when the editor ended with an error, which is how a user gives up.
 * Throws an Error with a sentence for the user when there is no editor.
 */
export async function editText(
  text: string,
  { env, signal, suffix = '.txt', line }: EditOptions,
): Promise<string | undefined> {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const directory = await mkdtemp(join(tmpdir(), 'skydeck-')); // Made with mode 0700.
  try {
    const file = join(directory, `text${suffix}`);
    await writeFile(file, text, { mode: 0o600 });
    const code = await runEditor(editor, [...lineArguments(editor, line), file], env, signal);
    if (code !== null && notStarted.includes(code)) {
      throw new Error(`The editor ${editor} cannot be started; name another one in EDITOR.`);
    }
    return code === 0 ? withoutAddedNewline(text, await readFile(file, 'utf8')) : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Through a shell, because an editor is a command line: `code --wait`. Answers its exit code, null after a signal. */
async function runEditor(
  editor: string,
  words: readonly string[],
  env: EditOptions['env'],
  signal: AbortSignal | undefined,
): Promise<number | null> {
  // In the place of the shell, so that the editor itself is told to end; more than one command needs the shell.
  const command = /[;&|<>()`\n]|^\s*\w+=/.test(editor) ? editor : `exec ${editor}`;
  const child = spawn('/bin/sh', ['-c', `${command} "$@"`, editor, ...words], { stdio: 'inherit', env: { ...env } });
  const end = () => {
    child.kill('SIGHUP');
    setTimeout(() => child.kill('SIGKILL'), patience).unref();
  };
  signal?.addEventListener('abort', end);
  if (signal?.aborted) end();
  const [code] = await once(child, 'exit');
  return code;
}

/** The editors that take `+LINE` before the file. */
const takesLine = /(?:^|[/'"])(?:n?vim?|view|nano|pico|emacs|emacsclient|micro|joe|jed|mg|ne|kak)(?:[\s'"]|$)/;

const lineArguments = (editor: string, line: number | undefined): readonly string[] =>
  line !== undefined && takesLine.test(editor) ? [`+${line}`] : [];

/** Editors end a file with a line break whether or not the text had one. */
const withoutAddedNewline = (before: string, after: string): string =>
  !before.endsWith('\n') && after.endsWith('\n') ? after.slice(0, -1) : after;
