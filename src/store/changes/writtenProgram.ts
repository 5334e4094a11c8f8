import { redacted, redaction } from '../../api/redact.ts';
import { argvOf, type Program } from '../../resources/placeholders.ts';
import type { Row } from '../../resources/resource.ts';

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
