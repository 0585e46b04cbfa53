import type { Client } from '@colophon/sdk';
import { useMemo } from 'react';
import { type Titles, useTitles } from '../shell/use-titles.js';
import type { Findings } from './findings.js';
import { type Detector, useDetector } from './use-detector.js';
import { type Examination, useFindings } from './use-findings.js';
import { type ServiceCheck, useServiceCheck } from './use-service-check.js';

export interface CheckedFile extends Examination {
  checked: ServiceCheck;
  detector: Detector;
  titles: Titles;
}

export function useCheckedFile(file: File, client: Client | undefined): CheckedFile {
  const examination = useFindings({ file }, client);
  const checked = useServiceCheck(client, file);
  const service = checked.findings;
  const similar = useMemo(() => service?.search?.matches.map(({ cid }) => cid) ?? [], [service]);
  const { titles } = useTitles(client, similar);
  const detector = useDetector(file);
  const { detection } = detector;
  const findings: Findings = {
    ...examination.findings,
    ...(service === undefined ? {} : { service, titles }),
    ...(detection === undefined ? {} : { detection }),
  };
  return { ...examination, findings, checked, detector, titles };
}
