import { NoAnswerError } from './api-error.js';
import type { UploadProgress } from './call-options.js';
import type { Deadline } from './deadline.js';
import { type Form, filesSize, toFormData, toMultipart } from './form.js';

/** A form on its way. */
export interface FormRequest {
  url: string;
  headers: Record<string, string>;
  form: Form;
  onProgress: ((progress: UploadProgress) => void) | undefined;
  deadline: Deadline;
  credentials: RequestCredentials | undefined;
  fetch: typeof fetch;
}

/**
 * Sends a form; the deadline runs from the moment when it is sent. Where requests can be streamed (Node, Deno, Bun), the
 * files are read as they are sent. A page's `fetch` can neither stream to every server nor tell how far it is:
 * there it is XMLHttpRequest, and in a service worker, which has none, `fetch` without progress or deadline.
 */
export function sendForm(request: FormRequest): Promise<Response> {
  if ('XMLHttpRequest' in globalThis) return sendByXhr(request);
  return 'ServiceWorkerGlobalScope' in globalThis ? sendWhole(request) : sendStreamed(request);
}

function sendStreamed({ url, headers, form, onProgress, deadline, ...request }: FormRequest) {
  let sentBytes = 0;
  const totalBytes = filesSize(form);
  const { type, body } = toMultipart(form, (sizeBytes) => {
    sentBytes += sizeBytes;
    onProgress?.({ sentBytes, totalBytes });
  });
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body: toStream(body, () => deadline.start()),
    duplex: 'half',
    signal: deadline.signal,
    ...(request.credentials === undefined ? {} : { credentials: request.credentials }),
  };
  return request.fetch(url, init as RequestInit);
}

/** A stream of what is read as it is asked for; `whenRead` is called at its end. */
function toStream(bytes: AsyncGenerator<Uint8Array>, whenRead: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const next = await bytes.next();
      if (!next.done) return controller.enqueue(next.value);
      whenRead();
      controller.close();
    },
    cancel: async () => void (await bytes.return(undefined)),
  });
}

async function sendWhole({ url, headers, form, deadline, ...request }: FormRequest): Promise<Response> {
  const body = await toFormData(form);
  const { signal } = deadline;
  const { credentials } = request;
  return request.fetch(url, {
    method: 'POST',
    headers,
    body,
    signal,
    ...(credentials === undefined ? {} : { credentials }),
  });
}

async function sendByXhr(request: FormRequest): Promise<Response> {
  const { url, headers, form, onProgress, deadline, credentials } = request;
  const body = await toFormData(form);
  deadline.signal.throwIfAborted();
  const totalBytes = filesSize(form);
  const xhr = new XMLHttpRequest();
  xhr.open('POST', url);
  xhr.responseType = 'arraybuffer';
  xhr.withCredentials = credentials === 'include';
  for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
  return new Promise((resolve, reject) => {
    const abort = () => xhr.abort();
    deadline.signal.addEventListener('abort', abort);
    xhr.upload.onprogress = ({ loaded }) =>
      // The form around the files counts too, so that it may be more than they have.
      onProgress?.({ sentBytes: Math.min(loaded, totalBytes ?? loaded), totalBytes });
    xhr.upload.onload = () => deadline.start();
    xhr.onloadend = () => deadline.signal.removeEventListener('abort', abort);
    xhr.onload = () => resolve(toResponse(xhr));
    xhr.onabort = () => reject(deadline.signal.reason);
    xhr.onerror = () => reject(new NoAnswerError('unreachable', 'The connection failed.'));
    xhr.send(body);
  });
}

function toResponse(xhr: XMLHttpRequest): Response {
  const lines = xhr
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/)
    .filter(Boolean);
  const headers = new Headers(
    lines.map((line): [string, string] => {
      const at = line.indexOf(':');
      return [line.slice(0, at), line.slice(at + 1).trim()];
    }),
  );
  return new Response(xhr.response as ArrayBuffer, { status: xhr.status, headers });
}
