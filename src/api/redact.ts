import { resources } from '../resources/index.ts';

/** Stands in the place of a secret. */
export const redaction = '[redacted]';

/** Secrets that no form asks for, or that the API answers. */
const knownSecrets = [
  'root_pass',
  'password',
  'card_number',
  'cvv',
  'ssl_cert',
  'ssl_key',
  'certificate',
  'private_key',
  'secret_key',
  'token',
  'upload_to',
  // Nobody knows which of a script's own fields are passwords, so all count as such.
  'stackscript_data',
];

let secretKeys: ReadonlySet<string> | undefined;

/** The keys of secret values: the known ones and every field that a description calls secret. */
function secrets(): ReadonlySet<string> {
  secretKeys ??= new Set([
    ...knownSecrets,
    ...resources.flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, { kind }]) =>
        kind === 'secret' || kind === 'secretParagraph' ? [name.slice(name.lastIndexOf('.') + 1)] : [],
      ),
    ),
  ]);
  return secretKeys;
}

/** A copy of a body in which every secret reads `[redacted]`; null and absent values stay, for they tell nothing. */
export function redacted(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(redacted);
  if (body === null || typeof body !== 'object') return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => {
      const hidden = secrets().has(key) && value !== null && value !== undefined;
      return [key, hidden ? redaction : redacted(value)];
    }),
  );
}

/** Shorter texts are words like any other; to take them out of a sentence would only spoil it. */
const shortest = 6;

/** The secrets in a body, line by line: what quotes one may break its lines elsewhere. What only frames a key is none. */
export function secretTexts(body: unknown, isSecret = false): readonly string[] {
  if (typeof body === 'string' && isSecret)
    return body.split(/\r\n|[\r\n]|\\n/).filter((line) => line.length >= shortest && !line.startsWith('-----'));
  if (body === null || typeof body !== 'object') return [];
  return Object.entries(body).flatMap(([key, value]) => secretTexts(value, isSecret || secrets().has(key)));
}
