import { mkdirSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, join } from 'node:path';
import { inspect } from 'node:util';
import { attempt } from '../text/errno.ts';
import { printable, withoutControls } from '../text/escapes.ts';
import { stateDirectory } from './directories.ts';
import { nameInTraces, openPart, partsIn } from './parts.ts';

/** The exit code of a crash: EX_SOFTWARE of sysexits.h. */
export const crashCode = 70;

/** Reports a crash on standard error, in a sentence, and in a file of mode 0600. Returns the exit code; never throws. */
export function reportCrash(
  { env, version, platform, arch, stderr }: Pick<NodeJS.Process, 'env' | 'version' | 'platform' | 'arch' | 'stderr'>,
  error: unknown,
  secrets: readonly string[],
): number {
  const { code, path = '' }: Partial<NodeJS.ErrnoException> = error instanceof Error ? error : {};
  if (code === 'ENOENT' && dirname(path) === import.meta.dirname) {
    stderr.write(
      `${printable(path)} is missing: another version of Skydeck took its place just now; start it again.\n`,
    );
    return crashCode;
  }
  const directory = stateDirectory(env);
  const details = withSourceLines(errorDetails(error), import.meta.dirname);
  const first =
    withoutSecrets(error instanceof Error ? error.message : thrownText(error), secrets).split('\n')[0] ?? '';
  const time = new Date().toISOString();
  const file = join(directory, `crash-${time.replaceAll(':', '-')}.txt`);
  const report = `time: ${time}\nskydeck: ${SKYDECK_VERSION}\nplatform: Node ${version}, ${platform} ${arch}\n\n${details}\n`;
  const isWritten = attempt(() => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    writeFileSync(file, withoutSecrets(report, secrets), { mode: 0o600, flag: 'wx' });
    return true;
  });
  const where = isWritten ? `A report without secrets is in ${file}` : `No report could be written to ${directory}`;
  stderr.write(`${printable(`Skydeck crashed (${first.slice(0, 200)}). ${where}`)}\n`);
  return crashCode;
}

// Anything can be thrown, not only errors.
const thrownText = (thrown: unknown): string => (typeof thrown === 'string' ? thrown : inspect(thrown));
export const errorDetails = (error: unknown): string => (error instanceof Error && error.stack) || thrownText(error);

const ending = '.map';

/**
 * A stack trace with lines of the sources in place of those of the bundle.
 * @param directory of the scripts and their source maps; without maps the trace is unchanged
 */
export function withSourceLines(trace: string, directory: string): string {
  const maps = () => partsIn(directory).filter((name) => name.endsWith(`.js${ending}`));
  return attempt(() => maps().reduce((text, map) => mapped(text, join(directory, map)), trace)) ?? trace;
}

function mapped(trace: string, mapFile: string): string {
  const [before = '', ...places] = trace.split(`${nameInTraces(mapFile.slice(0, -ending.length))}:`);
  if (places.length === 0) return trace;
  const map = new SourceMap(JSON.parse(String(openPart(mapFile)())));
  const named = places.map((place) =>
    place.replace(/^(\d+):(\d+)/, (minified, line, column) => {
      // Stack traces count from 1, source maps from 0.
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : minified;
    }),
  );
  return before + named.join('');
}

/** Names of secrets in bodies, headers and signed addresses. */
const names =
  'root_pass|password|token|secret|secret_key|private_key|ssl_key|ssl_cert|certificate|card_number|cvv|stackscript_data|upload_to|signature';
/** A value after its name: in quotes, in braces, or up to the next blank, comma, `}` or `&`. */
const value = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{[^}]*\}|[^\s,}&]+`;
const named = new RegExp(String.raw`((["']?)\b(?:\w+-)*(?:${names})\2\s*[:=]\s*)(?:${value})`, 'gi');

/** Redacts known secrets, and every value with the name of a secret. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  const safe = known
    .replace(/-----BEGIN ([A-Z ]+)-----[\s\S]*?(?:-----END \1-----|$)/g, '[redacted]')
    .replace(/(bearer\s+)[^\s"',]+/gi, '$1[redacted]')
    .replace(named, '$1[redacted]');
  return withoutControls(safe, '?');
}
