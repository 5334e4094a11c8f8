import type { FormField } from '../../resources/body.ts';
import type { Draft } from '../../resources/resource.ts';
import { belongsTo } from '../../terminal/certificates.ts';
import { typedText } from './typedText.ts';

/** A private key and the certificate that it must match. */
export interface KeyPair {
  field: FormField;
  key: string;
  certificate: string;
}

/** The private keys of a form with their certificates. */
export const keyPairsIn = (fields: readonly FormField[], draft: Draft): readonly KeyPair[] =>
  fields.flatMap((field) => {
    const key = pemIn(draft[field.name]);
    const certificate = field.field.certificate === undefined ? '' : pemIn(draft[field.field.certificate]);
    return key === '' || certificate === '' ? [] : [{ field, key, certificate }];
  });

/** Complaints about keys that do not match their certificates, by field. */
export async function mismatchedKeys(pairs: readonly KeyPair[]): Promise<readonly (readonly [string, string])[]> {
  const found = await Promise.all(
    pairs.map(async ({ field: { name, field }, key, certificate }) =>
      (await belongsTo(certificate, key)) === false
        ? [[name, `${field.label} does not match the certificate; enter the key that it was issued for.`] as const]
        : [],
    ),
  );
  return found.flat();
}

/** The PEM text of an entry, with escaped line breaks restored; empty if it has none. */
function pemIn(entry: Draft[string]): string {
  const text = typedText(entry).replaceAll('\\n', '\n');
  return text.includes('-----BEGIN ') ? text : '';
}
