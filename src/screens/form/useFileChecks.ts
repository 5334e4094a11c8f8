import { useEffect, useState } from 'react';
import { type FormField, isBlank } from '../../resources/body.ts';
import type { Draft, Field } from '../../resources/resource.ts';
import type { FoundFile } from '../../store/machine.ts';
import { cut } from '../../text/cells.ts';
import { attempt } from '../../text/errno.ts';
import { sizeText } from '../../text/numbers.ts';
import { useStores } from '../useStores.ts';
import { typedText } from './typedText.ts';

/** Longer paths are cut in a complaint, so that the reason stays visible. */
const maxPathCells = 100;

/** Checks the files and private keys of a form whenever they change. */
export function useFileChecks(fields: readonly FormField[], draft: Draft) {
  const { files } = useStores();
  const [found, setFound] = useState<{ of: string; complaints: ReadonlyMap<string, string> }>();
  const named = fields.filter(({ name, field }) => field.kind === 'file' && !isBlank(draft[name]));
  const pairs = keyPairsIn(fields, draft);
  const paths = [
    ...named.map(({ name }) => `${name}=${draft[name]}`),
    ...pairs.flatMap(({ key, certificate }) => [key, certificate]),
  ].join('\n');

  /** Checks again now; resolves to the complaints. */
  async function check(): Promise<ReadonlyMap<string, string>> {
    const wrong = new Map<string, string>();
    for (const { name, field } of named) {
      const why = fileComplaint(field, await files.look(String(draft[name]), field.begins?.bytes.length));
      if (why !== undefined) wrong.set(name, `${field.label} ${cut(String(draft[name]), maxPathCells)} ${why}.`);
    }
    for (const {
      field: { name, field },
      key,
      certificate,
    } of pairs)
      if ((await belongsTo(certificate, key)) === false)
        wrong.set(name, `${field.label} does not match the certificate; enter the key that it was issued for.`);
    return wrong;
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: the paths and keys decide, not the fields that hold them
  useEffect(() => {
    if (paths === '') return setFound(undefined);
    let isOver = false;
    void check().then((complaints) => {
      if (!isOver) setFound({ of: paths, complaints });
    });
    return () => {
      isOver = true;
    };
  }, [paths]);
  const complaints = found?.complaints ?? new Map();
  return {
    complaints,
    /** Whether the file of this field was checked and is valid. */
    isGood: (name: string) => found?.of === paths && !complaints.has(name),
    check,
  };
}

function fileComplaint(field: Field, found: FoundFile): string | undefined {
  if (field.isNew) {
    if (found.kind === 'nothing' && found.free) return undefined;
    if (found.kind === 'nothing' || found.kind === 'unreadable')
      return 'cannot be created there; choose a directory that you can write to';
    return found.kind === 'directory'
      ? 'is a directory; add the name of a new file'
      : 'exists already, and nothing is overwritten; name another one';
  }
  if (found.kind === 'file') return wrongContent(field, found);
  return {
    directory: 'is a directory; choose a file in it',
    nothing: 'does not exist; tab completes a path',
    unreadable: 'cannot be read: permission denied',
    other: 'is not a regular file',
  }[found.kind];
}

function wrongContent({ max, begins }: Field, { bytes, start }: Extract<FoundFile, { kind: 'file' }>) {
  if (max !== undefined && bytes > max) {
    const size = sizeText(bytes) === sizeText(max) ? `${bytes} bytes` : sizeText(bytes);
    return `has ${size}, and at most ${sizeText(max)} are accepted`;
  }
  return begins?.bytes.every((byte, index) => start[index] === byte) === false ? `must be ${begins.says}` : undefined;
}

/** A private key and the certificate that it must match. */
interface KeyPair {
  field: FormField;
  key: string;
  certificate: string;
}

const keyPairsIn = (fields: readonly FormField[], draft: Draft): readonly KeyPair[] =>
  fields.flatMap((field) => {
    const key = pemIn(draft[field.name]);
    const certificate = field.field.certificate === undefined ? '' : pemIn(draft[field.field.certificate]);
    return key === '' || certificate === '' ? [] : [{ field, key, certificate }];
  });

/** The PEM text of an entry, with escaped line breaks restored; empty if it has none. */
function pemIn(entry: Draft[string]): string {
  const text = typedText(entry).replaceAll('\\n', '\n');
  return text.includes('-----BEGIN ') ? text : '';
}

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
