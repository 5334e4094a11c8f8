import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How to reach the user's editor. */
export interface EditorOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Takes the drawing off the terminal while `run` uses it: Ink's `suspendTerminal`. */
  suspend: (run: () => Promise<void>) => Promise<void>;
  /** How the file ends, so that the editor knows what it is: `.sh`. */
  suffix?: string;
  /** The line at which an editor opens it that can be told so, counted from 1. */
  line?: number;
}

/** What a shell answers when a command cannot be run or is not found. */
const notStarted = [126, 127];

/**
 * Has the user edit a text in `$VISUAL` or `$EDITOR` (else vi), in a file that nobody else can read and that is gone afterwards.
 * Answers the new text, or undefined when the editor ended with an error, which is how a user gives up.
 * Throws an Error with a sentence for the user when there is no editor.
 */
export async function editText(
  text: string,
  { env, suspend, suffix = '.txt', line }: EditorOptions,
): Promise<string | undefined> {
  const editor = env.VISUAL || env.EDITOR || 'vi';
  const directory = await mkdtemp(join(tmpdir(), 'skydeck-')); // Made with mode 0700.
  try {
    const file = join(directory, `text${suffix}`);
    await writeFile(file, text, { mode: 0o600 });
    let code: number | null = null;
    await suspend(async () => {
      code = await runEditor(editor, [...lineArguments(editor, line), file], env);
    });
    if (code !== null && notStarted.includes(code)) {
      throw new Error(`The editor ${editor} cannot be started; name another one in EDITOR.`);
    }
    return code === 0 ? withoutAddedNewline(text, await readFile(file, 'utf8')) : undefined;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Through a shell, because an editor is a command line: `code --wait`. Answers its exit code, null after a signal. */
function runEditor(editor: string, words: readonly string[], env: EditorOptions['env']): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, ...words], { stdio: 'inherit', env: { ...env } });
    child.on('error', reject);
    child.on('exit', resolve);
  });
}

/** The editors that take `+LINE` before the file. */
const takesLine = /(?:^|[/'"])(?:n?vim?|view|nano|pico|emacs|emacsclient|micro|joe|jed|mg|ne|kak)(?:[\s'"]|$)/;

const lineArguments = (editor: string, line: number | undefined): readonly string[] =>
  line !== undefined && takesLine.test(editor) ? [`+${line}`] : [];

/** Editors end a file with a line break whether or not the text had one. */
const withoutAddedNewline = (before: string, after: string): string =>
  !before.endsWith('\n') && after.endsWith('\n') ? after.slice(0, -1) : after;
