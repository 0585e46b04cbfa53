import { toNoAnswer } from './api-error.js';
import type { UploadProgress } from './call-options.js';
import type { Deadline } from './deadline.js';
import { type Form, filesSize, toFormData, toMultipart } from './form.js';

export interface FormRequest {
  url: string;
  headers: Record<string, string>;
  form: Form;
  onProgress: ((progress: UploadProgress) => void) | undefined;
  deadline: Deadline;
  credentials: RequestCredentials | undefined;
  /** The default is the `fetch` of the platform. */
  fetch: typeof fetch | undefined;
}

/**
 * Sends a form. The deadline limits each step of progress, and then the wait for the response. Node, Deno and Bun can
 * stream a request body. In a page, `fetch` cannot stream to every server, so a page uses XMLHttpRequest. A service
 * worker, or a page with a custom `fetch`, sends the whole form without progress, and its timeout starts only when the
 * response begins.
 */
export function sendForm(request: FormRequest): Promise<Response> {
  const isPage = 'XMLHttpRequest' in globalThis;
  if (isPage && request.fetch === undefined) return sendByXhr(request);
  return isPage || 'ServiceWorkerGlobalScope' in globalThis ? sendWhole(request) : sendStreamed(request);
}

async function sendStreamed({ url, headers, form, onProgress, deadline, ...request }: FormRequest) {
  const { fetch = globalThis.fetch } = request;
  const fault: { found?: { error: unknown } } = {};
  let sentBytes = 0;
  const totalBytes = filesSize(form);
  const { type, body } = toMultipart(form, (sizeBytes) => {
    sentBytes += sizeBytes;
    onProgress?.({ sentBytes, totalBytes });
  });
  const init = {
    method: 'POST',
    headers: { ...headers, 'content-type': type },
    body: toStream(body, { deadline, fault }),
    duplex: 'half',
    signal: deadline.signal,
    ...(request.credentials && { credentials: request.credentials }),
  };
  try {
    return await fetch(url, init as RequestInit);
  } catch (error) {
    // If reading the file failed, throw that error instead of a connection error.
    throw fault.found === undefined || deadline.signal.aborted ? toNoAnswer(error, url) : fault.found.error;
  }
}

/** The timeout does not run while the file is read. */
function toStream(
  bytes: AsyncGenerator<Uint8Array>,
  { deadline, fault }: { deadline: Deadline; fault: { found?: { error: unknown } } },
): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      deadline.stop();
      const next = await bytes.next().catch((error: unknown) => {
        fault.found = { error };
        throw error;
      });
      deadline.renew();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: async () => void (await bytes.return(undefined)),
  });
}

async function sendWhole({ url, headers, form, deadline, ...request }: FormRequest): Promise<Response> {
  const body = await toFormData(form);
  const { signal } = deadline;
  const { credentials, fetch = globalThis.fetch } = request;
  const init = {
    method: 'POST',
    headers,
    body,
    signal,
    ...(credentials && { credentials }),
  };
  return fetch(url, init).catch((error: unknown) => Promise.reject(toNoAnswer(error, url)));
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
  const answered = new Promise<XMLHttpRequest>((resolve, reject) => {
    const abort = () => xhr.abort();
    deadline.signal.addEventListener('abort', abort);
    xhr.upload.onprogress = ({ loaded }) => {
      deadline.renew();
      // `loaded` includes the form around the files, so it can exceed the size of the files.
      onProgress?.({ sentBytes: Math.min(loaded, totalBytes ?? loaded), totalBytes });
    };
    xhr.upload.onload = () => deadline.renew();
    xhr.onloadend = () => deadline.signal.removeEventListener('abort', abort);
    xhr.onload = () => resolve(xhr);
    xhr.onabort = () => reject(deadline.signal.reason);
    xhr.onerror = () => reject(toNoAnswer(new TypeError('the connection failed'), url));
    xhr.send(body);
    deadline.start();
  });
  return toResponse(await answered);
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
