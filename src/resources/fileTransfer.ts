/** A file on another host is put, got or deleted, at a signed address that the answer to an action gives; without the token. */
export type FileTransfer =
  | {
      way: 'upload';
      /** The `file` field of the form that holds its path. */
      file: string;
      /** The field of the answer that holds the address. */
      address: string;
      /** The field of the body that was sent which holds its content type. */
      contentType?: string;
      /** Said when the file has arrived, or has not: what becomes of what was made for it. */
      arrived?: string;
      missed?: string;
    }
  | { way: 'download'; file: string; address: string }
  | { way: 'delete'; address: string };
