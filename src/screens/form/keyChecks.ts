import type { FormField } from '../../resources/body.ts';
import type { Draft } from '../../resources/resource.ts';
import { belongsTo } from '../../terminal/certificates.ts';
import { typedText } from './typedText.ts';

/** A private key of a form and the certificate that it must belong to. */
export interface KeyPair {
  field: FormField;
  key: string;
  certificate: string;
}

/** The private keys that a form holds together with their certificates. */
export const keyPairsIn = (fields: readonly FormField[], draft: Draft): readonly KeyPair[] =>
  fields.flatMap((field) => {
    const key = pemIn(draft[field.name]);
    const certificate = field.field.certificate === undefined ? '' : pemIn(draft[field.field.certificate]);
    return key === '' || certificate === '' ? [] : [{ field, key, certificate }];
  });

/** Complaints about private keys, by field. */
export async function mismatchedKeys(pairs: readonly KeyPair[]): Promise<readonly (readonly [string, string])[]> {
  const found = await Promise.all(
    pairs.map(async ({ field: { name, field }, key, certificate }) =>
      (await belongsTo(certificate, key)) === false
        ? [[name, `${field.label} does not belong to the certificate; give the key that it was made with.`] as const]
        : [],
    ),
  );
  return found.flat();
}

/** A text of PEM blocks, also where its line breaks are written out; nothing where there is none. */
function pemIn(entry: Draft[string]): string {
  const text = typedText(entry).replaceAll('\\n', '\n');
  return text.includes('-----BEGIN ') ? text : '';
}
