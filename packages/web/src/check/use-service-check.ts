import type { Client } from '@colophon/sdk';
import { askService } from './ask-service.js';
import type { ServiceFindings } from './findings.js';
import { type FileRequest, useFileRequest } from './use-file-request.js';

export interface ServiceCheck extends Omit<FileRequest<ServiceFindings>, 'found'> {
  findings: ServiceFindings | undefined;
}

/** Sends the file twice, on request: for the credentials and for the search. */
export function useServiceCheck(client: Client | undefined, file: File): ServiceCheck {
  const { found: findings, ...request } = useFileRequest(
    { file, client },
    client && ((options) => askService(client, file, options)),
  );
  return { findings, ...request };
}
