/** Reasons by the error codes of Node, as the end of a sentence: `The file a cannot be read: permission denied.` */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EEXIST: 'it exists already, and nothing is overwritten; name another file',
  EISDIR: 'it is a directory',
  ENOTDIR: 'a part of its path is not a directory',
  ENXIO: 'it is not a file',
  ELOOP: 'it is a symbolic link',
  ENOSPC: 'no space left on device',
  EDQUOT: 'disk quota exceeded',
  EFBIG: 'it may not grow any further',
  EROFS: 'the file system is read-only',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 2 GiB',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke',
  UND_ERR_SOCKET: 'the connection broke',
  EPIPE: 'the connection broke',
  ENOTFOUND: 'there is no host with this name',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network is unreachable',
  ETIMEDOUT: 'the connection timed out',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is signed by an authority that is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is signed by an authority that is not trusted',
  UND_ERR_PRX_CONN: 'the proxy closed the connection',
  UND_ERR_PRX_TLS: 'the certificate of the proxy is for another name',
  EPROTO: 'the server does not speak TLS',
  ERR_SSL_WRONG_VERSION_NUMBER: 'the server does not speak TLS',
};

/**
 * The reason of a system error, as the end of a sentence.
 * @param otherwise the reason for unknown codes; by default the code itself
 */
export function reasonOf(error: unknown, otherwise?: string): string {
  const { code = '' } = error as NodeJS.ErrnoException;
  return reasons[code] ?? otherwise ?? (code || 'unknown error');
}

/** The result of an act; undefined where it throws, whatever the reason, with whose message `onTrouble` is called. */
export function attempt<T>(act: () => T, onTrouble?: (says: string) => void): T | undefined {
  try {
    return act();
  } catch (error) {
    onTrouble?.((error as Error).message);
    return undefined;
  }
}
