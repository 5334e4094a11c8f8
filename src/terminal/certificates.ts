import { attempt } from '../text/errno.ts';

const certificateBlock = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/**
 * Whether a private key belongs to a certificate, or to one in its chain; undefined where either cannot be read, e.g. a
 * key with a passphrase.
 */
export async function belongsTo(certificate: string, key: string): Promise<boolean | undefined> {
  // Loaded late: only few forms have a certificate and a key.
  const crypto = await import('node:crypto');
  const privateKey = attempt(() => crypto.createPrivateKey(key));
  const certificates = (certificate.match(certificateBlock) ?? []).flatMap(
    (block) => attempt(() => new crypto.X509Certificate(block)) ?? [],
  );
  if (!privateKey || certificates.length === 0) return undefined;
  return certificates.some((one) => one.checkPrivateKey(privateKey));
}
