import { redacted } from './redact.ts';
import type { LosslessJson } from './responseText.ts';

/** A request as it would be sent, without secrets. */
export type Preview = ReturnType<typeof previewOf>;

/** The content of a request, in the platform's words. */
export interface Payload {
  body?: unknown;
  /** The X-Filter header. */
  filter?: string;
  form?: FormData;
}

/** Writes a request as text and as a curl command. */
export function previewOf(json: LosslessJson, method: string, url: string, withToken: boolean, payload: Payload) {
  const { body, filter, form } = payload;
  const parts = form ? formParts(form) : [];
  const safe = redacted(body);
  const command = [method === 'GET' ? 'curl' : `curl -X ${method}`];
  // In double quotes, so that the shell expands the variable.
  if (withToken) command.push('-H "Authorization: Bearer $SKYDECK_TOKEN"');
  if (filter !== undefined) command.push(`-H ${shellQuoted(`X-Filter: ${filter}`)}`);
  if (safe !== undefined)
    command.push(`-H ${shellQuoted('Content-Type: application/json')}`, `-d ${shellQuoted(json.stringify(safe))}`);
  for (const { name, value, bytes } of parts)
    command.push(`-F ${shellQuoted(bytes ? `${name}=@${value}` : `${name}=${value}`)}`);
  command.push(shellQuoted(url));
  return {
    method,
    url,
    /** Indented JSON, or one line for each part of a form; empty when there is no body. */
    body: safe === undefined ? parts.map(partText).join('\n') : json.stringify(safe, 2),
    /** A curl command, one line an option, with `$SKYDECK_TOKEN` for the token. */
    curl: command.join(' \\\n  '),
  };
}

interface FormPart {
  name: string;
  /** The text of a field, or the name of a file. */
  value: string;
  /** The size of a file. */
  bytes?: number;
}

const formParts = (form: FormData): readonly FormPart[] =>
  [...form].map(([name, value]) => {
    if (typeof value !== 'string') return { name, value: value.name, bytes: value.size };
    return { name, value: String((redacted({ [name]: value }) as Record<string, unknown>)[name]) };
  });

const partText = ({ name, value, bytes }: FormPart) =>
  bytes === undefined ? `${name}: ${value}` : `${name}: file ${value}, ${bytes} bytes`;

/** In single quotes for a POSIX shell. */
const shellQuoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
