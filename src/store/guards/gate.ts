import type { Api } from '../../api/client.ts';
import { notSent, type RequestLine } from '../../api/error.ts';
import { redactedPaths, redaction } from '../../api/redact.ts';
import type { ApiRequest, ApiResponse } from '../../api/request.ts';
import { fieldLabel, type Operation } from '../../resources/resource.ts';
import { type Change, recordOf } from '../changes/change.ts';

/** The change that a request belongs to; whatever is no GET is sent for one that the guards have let pass, and not else. */
interface OfChange {
  change?: Change;
}

/** The API as the stores hand it out: no change leaves past the guards. */
export interface GuardedApi extends Api {
  send(operation: Operation, request?: ApiRequest & OfChange): Promise<ApiResponse>;
}

/** The guarded API, and the function that opens it for a change. */
export type Gate = ReturnType<typeof createGate>;

/** Puts the gate before an API. */
export function createGate(api: Api) {
  const passed = new WeakSet<object>();

  const mayPass = (change: object | undefined): change is Change => change !== undefined && passed.has(change);

  const isOf = (operation: Operation, { params, body }: ApiRequest, { action, ...own }: Change): boolean =>
    operation === action.first || (operation === action && params === own.params && (!body || body === own.body));

  const closed = (line: RequestLine) =>
    notSent(line, 'guarded', `No guard was asked about ${line.method} ${line.path}, so nothing was sent.`);

  const fileOf = async (method: string, change: object | undefined, move: () => Promise<void>) =>
    mayPass(change) ? move() : Promise.reject(closed({ method, path: 'a file' }));

  const leftOut = ({ resource, action }: Change, name: string) => {
    const says = `${fieldLabel(resource, action, name)} holds ${redaction}, which stands for a secret that was left out`;
    return notSent(action, 'guarded', `Nothing was sent: ${says}. Type the secret again.`);
  };

  const guarded: GuardedApi = {
    get readOnly() {
      return api.readOnly;
    },
    get scopes() {
      return api.scopes;
    },
    files: {
      download: (address, path, options) => api.files.download(address, path, options),
      upload: (address, path, options = {}) =>
        fileOf('PUT', options.change, () => api.files.upload(address, path, options)),
      remove: (address, signal, change) => fileOf('DELETE', change, () => api.files.remove(address, signal, change)),
    },
    send: (operation, { change, ...request } = {}) => {
      if (operation.method === 'GET') return api.send(operation, request);
      if (!mayPass(change) || !isOf(operation, request, change)) return Promise.reject(closed(operation));
      const [secret] = redactedPaths([change.params, change.body]);
      if (secret !== undefined) return Promise.reject(leftOut(change, secret.replace(/^\d\./, '')));
      const { uid, takesBack } = change;
      return api.send(operation, { ...request, record: { ...recordOf(change), uid, takesBack: takesBack?.of } });
    },
    pages: (operation, request) => api.pages(operation, request),
    preview: (operation, request) => api.preview(operation, request),
    translated: (body) => api.translated(body),
    documented: api.documented,
    curlOf: (method, path, body) => api.curlOf(method, path, body),
    time: () => api.time(),
    stored: () => api.stored(),
    close: () => api.close(),
  };
  return {
    api: guarded,
    /** Lets the requests of a change pass from now on. */
    open: (change: object) => void passed.add(change),
  };
}
