export function judgeAudit(
  stdout: string,
  terms: { allowed: object[]; today: string },
): { outcome: 'found' | 'none' | 'not checked'; says: string[] };
