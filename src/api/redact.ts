import { isSecret } from '../resources/field.ts';
import { resources } from '../resources/index.ts';
import { at, type Row } from '../resources/row.ts';

/** Takes the place of a secret. */
export const redaction = '[redacted]';

/**
 * Keys of secrets that no description declares: the API returns them, or no form asks for them. Which of a script's own fields are
 * passwords is unknown, so all of them are hidden.
 */
const knownSecrets = `root_pass password card_number cvv ssl_cert ssl_key certificate private_key secret_key token
  upload_to stackscript_data`.split(/\s+/);

let secretKeys: ReadonlySet<string> | undefined;
let secretEntities: ReadonlySet<unknown> | undefined;

/** The keys of secrets: the known ones and every field that a description calls secret. */
function secrets(): ReadonlySet<string> {
  if (secretKeys) return secretKeys;
  const described = resources.flatMap(({ fields }) => Object.entries(fields).filter(([, field]) => isSecret(field)));
  secretKeys = new Set([...knownSecrets, ...described.map(([name]) => name.slice(name.lastIndexOf('.') + 1))]);
  return secretKeys;
}

/** Whether the id of an entity, in an event or a filter for events, is a secret, as the token of a transfer is. */
function isNamedBySecret({ type, 'entity.type': kind = type }: Row): boolean {
  secretEntities ??= new Set(resources.flatMap(({ entity, id }) => (entity && secrets().has(id) ? entity : [])));
  return secretEntities.has(kind);
}

/** Whether the values under this name, or at this dotted path, are secrets. */
export const isSecretName = (name: string): boolean =>
  secrets().has(name) || (name.includes('.') && name.split('.').some((part) => secrets().has(part)));

/** The dotted paths of the secrets in a value that are, or hold, the mark of one that was left out. */
export function redactedPaths(value: unknown, path = '', isSecret = false): readonly string[] {
  if (typeof value === 'string') return isSecret && value.includes(redaction) ? [path] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    redactedPaths(inner, path === '' ? key : `${path}.${key}`, isSecret || isSecretName(key)),
  );
}

/**
 * A copy of a body with `[redacted]` for every secret; null and undefined stay.
 * @param isSecret tells secrets by the names of their fields
 */
export function redacted(body: unknown, isSecret = isSecretName): unknown {
  if (Array.isArray(body)) return body.map((one) => redacted(one, isSecret));
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const isHere = isSecret(key) || (/^(?:entity\.)?(?:id|label|url)$/.test(key) && isNamedBySecret(body as Row));
      const hidden = isHere && value !== null && value !== undefined;
      return [key, hidden ? redaction : redacted(value, isSecret)];
    }),
  );
}

/** The value at a dotted path of a row, with `[redacted]` for every secret. */
export const redactedAt = (row: Row, path: string): unknown => (redacted({ [path]: at(row, path) }) as Row)[path];

/** A shorter secret would also match common words of a sentence. */
const minSecretLength = 6;

/** The secrets in a body, line by line, for an error may quote a single line. The BEGIN and END lines of keys are left out. */
export function secretTexts(body: unknown, isSecret = false): readonly string[] {
  if (typeof body === 'string' && isSecret)
    return body.split(/\r\n|[\r\n]|\\n/).filter((line) => line.length >= minSecretLength && !line.startsWith('-----'));
  if (body === null || typeof body !== 'object') return [];
  return Object.entries(body).flatMap(([key, value]) => secretTexts(value, isSecret || isSecretName(key)));
}

/** A text without the tokens of transfers, which are UUIDs, wherever they stand in it. */
export const withoutTokens = (text: string): string =>
  text.replace(/\b[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\b/gi, redaction);

/** A function that takes the secrets of a value, and further ones, out of a text. */
export function redactorOf(value: unknown, further: readonly string[] = []): (text: string) => string {
  const secrets = [...further, ...secretTexts(value)].filter(Boolean);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, redaction), text);
}
