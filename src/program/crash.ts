import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { withoutControls } from '../text/escapes.ts';
import { stateDirectory } from './directories.ts';

/** Ended by a fault of the program, as sysexits.h has it. */
export const crashCode = 70;

/** The part of the process that a crash tells of. */
type Host = Pick<NodeJS.Process, 'env' | 'version' | 'platform' | 'arch' | 'stderr'>;

/** Reports a fault on standard error and in a file. Answers the exit code; never throws. */
export function reportCrash(
  { env, version, platform, arch, stderr }: Host,
  error: unknown,
  secrets: readonly string[],
): number {
  const sentence = writeCrashReport(error, {
    directory: stateDirectory(env),
    version: SKYDECK_VERSION,
    platform: `Node ${version}, ${platform} ${arch}`,
    secrets,
    now: Date.now(),
  });
  stderr.write(`${sentence}\n`);
  return crashCode;
}

/** Told in a crash report beside the error. */
export interface CrashContext {
  /** Where reports are kept; made with mode 0700. */
  directory: string;
  version: string;
  /** Of Node and of the system. */
  platform: string;
  /** Texts that must not be in it. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: number;
}

/** Writes a report (mode 0600) of an error nobody expected, and answers the sentence for the user. Never throws. */
export function writeCrashReport(error: unknown, { directory, version, platform, secrets, now }: CrashContext): string {
  const details = withSourceLines(errorDetails(error), import.meta.dirname);
  const first = withoutSecrets(error instanceof Error ? error.message : textOf(error), secrets).split('\n')[0] ?? '';
  const sentence = `Skydeck ended because of a fault of its own (${first.slice(0, 200)}).`;
  const time = new Date(now).toISOString();
  const file = join(directory, `crash-${time.replaceAll(':', '-')}.txt`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    const report = `time: ${time}\nskydeck: ${version}\nplatform: ${platform}\n\n${details}\n`;
    writeFileSync(file, withoutSecrets(report, secrets), { mode: 0o600, flag: 'wx' });
    return `${sentence} A report without secrets is in ${file}`;
  } catch {
    return `${sentence} No report could be written to ${directory}`;
  }
}

/** A value that was thrown need not be an error, nor have a text. */
const textOf = (thrown: unknown): string => (typeof thrown === 'string' ? thrown : inspect(thrown));
export const errorDetails = (error: unknown): string => (error instanceof Error && error.stack) || textOf(error);

const ending = '.map';

/**
 * A stack trace with lines of the sources in the place of those of the bundle.
 * @param directory of the scripts, with a source map beside each; where there is none, the trace stays as it is
 */
export function withSourceLines(trace: string, directory: string): string {
  try {
    const maps = readdirSync(directory).filter((name) => name.endsWith(`.js${ending}`));
    return maps.reduce((text, map) => mapped(text, join(directory, map)), trace);
  } catch {
    return trace;
  }
}

function mapped(trace: string, mapFile: string): string {
  const [before = '', ...places] = trace.split(`${mapFile.slice(0, -ending.length)}:`);
  if (places.length === 0) return trace;
  const map = new SourceMap(JSON.parse(readFileSync(mapFile, 'utf8')));
  const named = places.map((place) =>
    place.replace(/^(\d+):(\d+)/, (minified, line, column) => {
      // Stack traces count from 1, source maps from 0.
      const entry = map.findEntry(Number(line) - 1, Number(column) - 1);
      return 'originalSource' in entry ? `${entry.originalSource}:${entry.originalLine + 1}` : minified;
    }),
  );
  return before + named.join('');
}

/** Names of values that nobody else may know, as they stand in bodies, headers and signed addresses. */
const names =
  'root_pass|password|token|secret|secret_key|private_key|ssl_key|ssl_cert|certificate|card_number|cvv|stackscript_data|upload_to|signature';
/** A value after its name: in quotes, in braces, or up to the next blank, comma, `}` or `&`. */
const value = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{[^}]*\}|[^\s,}&]+`;
const named = new RegExp(String.raw`((["']?)\b(?:\w+-)*(?:${names})\2\s*[:=]\s*)(?:${value})`, 'gi');

/** Known secrets, and whatever stands where a token or password usually does. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  const safe = known
    .replace(/-----BEGIN ([A-Z ]+)-----[\s\S]*?(?:-----END \1-----|$)/g, '[redacted]')
    .replace(/(bearer\s+)[^\s"',]+/gi, '$1[redacted]')
    .replace(named, '$1[redacted]');
  return withoutControls(safe, '?');
}
