import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProgramOptions, runOnScreen } from './childProgram.ts';

/** The options of an editor. */
export interface EditOptions extends ProgramOptions {
  /** The suffix of the file, by which the editor knows its type: `.sh`. */
  suffix?: string;
  /** The line to open the file at, counted from 1; not every editor can. */
  line?: number;
}

/** The exit codes of a shell for a command that cannot be run or is not found. */
const notStarted = [126, 127];

/**
 * Opens a text in `$VISUAL` or `$EDITOR` (else vi), in a temporary file that nobody else can read.
 * Returns the new text, or undefined when the editor ended with an error, by which a user gives up.
 * Throws an Error with a sentence for the user when the editor cannot be started.
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
    const words = [...(line !== undefined && takesLine.test(editor) ? [`+${line}`] : []), file];
    const { code, error } = await runOnScreen(['/bin/sh', '-c', commandOf(editor), editor, ...words], { env, signal });
    if (error !== undefined || (code !== undefined && notStarted.includes(code)))
      throw new Error(`The editor ${editor} cannot be started; name another one in EDITOR.`);
    return code === 0 ? withoutAddedNewline(text, await readFile(file, 'utf8')) : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** A command of a shell, as an editor may be a command line: `code --wait`. */
const commandOf = (editor: string): string =>
  // With exec a signal reaches the editor itself; more than one command needs the shell.
  `${/[;&|<>()`\n]|^\s*\w+=/.test(editor) ? editor : `exec ${editor}`} "$@"`;

/** Matches editors that take `+LINE` before the file. */
const takesLine = /(?:^|[/'"])(?:n?vim?|view|nano|pico|emacs|emacsclient|micro|joe|jed|mg|ne|kak)(?:[\s'"]|$)/;

/** Editors end a file with a newline even where the text had none. */
const withoutAddedNewline = (before: string, after: string): string =>
  !before.endsWith('\n') && after.endsWith('\n') ? after.slice(0, -1) : after;
