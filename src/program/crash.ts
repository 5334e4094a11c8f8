import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a crash report says beside the error. */
export interface CrashFacts {
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
export function reportCrash(error: unknown, { directory, version, platform, secrets, now }: CrashFacts): string {
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const first = withoutSecrets(error instanceof Error ? error.message : String(error), secrets).split('\n')[0] ?? '';
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

/** Names of values that nobody else may know, as they stand in bodies, headers and signed addresses. */
const names =
  'root_pass|password|token|secret|secret_key|private_key|ssl_key|ssl_cert|certificate|card_number|cvv|stackscript_data|upload_to|signature';
/** A value after its name: in quotes, in braces, or up to the next blank, comma, `}` or `&`. */
const value = String.raw`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\{[^}]*\}|[^\s,}&]+`;
const named = new RegExp(String.raw`((["']?)\b(?:\w+-)*(?:${names})\2\s*[:=]\s*)(?:${value})`, 'gi');

/** Known secrets, and whatever stands where a token or password usually does. */
function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(Boolean).reduce((rest, secret) => rest.replaceAll(secret, '[redacted]'), text);
  return known
    .replace(/-----BEGIN ([A-Z ]+)-----[\s\S]*?(?:-----END \1-----|$)/g, '[redacted]')
    .replace(/(bearer\s+)[^\s"',]+/gi, '$1[redacted]')
    .replace(named, '$1[redacted]')
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '?');
}
