/** The types of public keys that OpenSSH writes (RFC 4253, RFC 5656, RFC 8709 and its PROTOCOL.u2f). */
const keyTypes =
  /^(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-ssh-ed25519@openssh\.com|sk-ecdsa-sha2-nistp256@openssh\.com)$/;

/**
 * Whether the data of a public key are complete: a row of parts, each preceded by its length as four bytes, the first
 * of which is the name of the type.
 */
function isWhole(type: string, base64: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return false;
  let bytes: string;
  try {
    bytes = atob(base64);
  } catch {
    return false;
  }
  let parts = 0;
  let at = 0;
  while (at + 4 <= bytes.length) {
    const length = [...bytes.slice(at, at + 4)].reduce((sum, byte) => sum * 256 + byte.charCodeAt(0), 0);
    if (parts === 0 && bytes.slice(at + 4, at + 4 + length) !== type) return false;
    at += 4 + length;
    parts++;
  }
  return at === bytes.length && parts > 1;
}

/** Says why public keys are wrong, as the end of a sentence that never repeats what was entered; undefined when all are right. */
export function wrongKeys(keys: readonly string[]): string | undefined {
  for (const [index, key] of keys.entries()) {
    const which = keys.length === 1 ? 'this' : `key ${index + 1}`;
    const [type = '', data = ''] = key.trim().split(/\s+/);
    if (/PRIVATE KEY/.test(key)) return 'must not contain a private key; enter the line in the .pub file beside it';
    if (!keyTypes.test(type)) return `must be public keys, e.g. ssh-ed25519 AAAA… name; ${which} is not one`;
    if (!isWhole(type, data)) return `must be complete public keys; ${which} is cut off or altered`;
  }
  return undefined;
}
