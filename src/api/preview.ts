import { redacted } from './redact.ts';

/** A request as it would be sent, without secrets. */
export interface Preview {
  method: string;
  url: string;
  /** Indented JSON, or the parts of a form one a line; empty when nothing is sent. */
  body: string;
  /** A command for a shell, a line for each of its parts, the token as `$SKYDECK_TOKEN`. */
  curl: string;
}

/** The content of a request, in the platform's words. */
export interface Payload {
  body?: unknown;
  /** The X-Filter header. */
  filter?: string;
  form?: FormData;
}

/**
 * Writes a request as text and as a line for a shell.
 * @param write a body as JSON
 */
export function previewOf(
  method: string,
  url: string,
  withToken: boolean,
  { body, filter, form }: Payload,
  write: (body: unknown, space?: number) => string,
): Preview {
  const parts = form ? partsOf(form) : [];
  const safe = redacted(body);
  const command = [method === 'GET' ? 'curl' : `curl -X ${method}`];
  // In double quotes, for the shell is to put the token in.
  if (withToken) command.push('-H "Authorization: Bearer $SKYDECK_TOKEN"');
  if (filter !== undefined) command.push(`-H ${quoted(`X-Filter: ${filter}`)}`);
  if (safe !== undefined) command.push(`-H ${quoted('Content-Type: application/json')}`, `-d ${quoted(write(safe))}`);
  for (const { name, value, file } of parts)
    command.push(`-F ${quoted(file ? `${name}=@${value}` : `${name}=${value}`)}`);
  command.push(quoted(url));
  return {
    method,
    url,
    body: safe === undefined ? parts.map(spoken).join('\n') : write(safe, 2),
    curl: command.join(' \\\n  '),
  };
}

interface Part {
  name: string;
  /** The text, or the name of the file. */
  value: string;
  /** The size of the file in bytes. */
  file?: number;
}

const partsOf = (form: FormData): readonly Part[] =>
  [...form].map(([name, value]) => {
    if (typeof value !== 'string') return { name, value: value.name, file: value.size };
    return { name, value: String((redacted({ [name]: value }) as Record<string, unknown>)[name]) };
  });

const spoken = ({ name, value, file }: Part) =>
  file === undefined ? `${name}: ${value}` : `${name}: file ${value}, ${file} bytes`;

/** In single quotes for a POSIX shell. */
const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;
