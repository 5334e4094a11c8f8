import type { KeyObject, X509Certificate } from 'node:crypto';

/** Loaded late: only few forms have a certificate and a key. */
type Crypto = typeof import('node:crypto');

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Whether a private key belongs to a certificate, or to one in its chain; undefined where either cannot be read, e.g. a
 * key with a passphrase.
 */
export async function belongsTo(certificate: string, key: string): Promise<boolean | undefined> {
  const crypto = await import('node:crypto');
  const privateKey = keyIn(crypto, key);
  const certificates = (certificate.match(certificateBlock) ?? []).flatMap((block) => certificateIn(crypto, block));
  if (!privateKey || certificates.length === 0) return undefined;
  return certificates.some((one) => one.checkPrivateKey(privateKey));
}

function keyIn({ createPrivateKey }: Crypto, text: string): KeyObject | undefined {
  try {
    return createPrivateKey(text);
  } catch {
    return undefined;
  }
}

function certificateIn({ X509Certificate }: Crypto, text: string): readonly X509Certificate[] {
  try {
    return [new X509Certificate(text)];
  } catch {
    return [];
  }
}
