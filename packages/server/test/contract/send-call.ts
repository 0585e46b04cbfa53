import { toForm } from '../support/service.js';
import type { Call } from './calls.js';

export function sendCall(
  base: string,
  { method, key, ...call }: Omit<Call, 'status' | 'as'> & { method: string; key: string | undefined },
): Promise<Response> {
  return fetch(base + call.target, {
    method,
    redirect: 'manual',
    ...toBody(call),
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(call.json === undefined && call.text === undefined ? {} : { 'content-type': 'application/json' }),
      ...call.headers,
    },
  });
}

function toBody({ json, text, form }: Pick<Call, 'json' | 'text' | 'form'>): { body?: string | FormData } {
  if (form !== undefined) {
    const whole = toForm(form.file ?? '', form.json ?? {});
    if (form.json === undefined) whole.delete('json');
    return { body: whole };
  }
  const body = json === undefined ? text : JSON.stringify(json);
  return body === undefined ? {} : { body };
}
