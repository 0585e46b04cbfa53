import { describe, expect, it } from 'vitest';
import { parsePolicy } from '../../src/log/tlog-policy.js';
import { verifyPolicy } from '../../src/log/verify-policy.js';
import vectors from '../vectors/policies-v1.json' with { type: 'json' };
import { verifyEd25519 } from './support/keys.js';

const parse = (file: string) => parsePolicy(new TextEncoder().encode(file));

describe('the vectors of policy files', () => {
  it.each(vectors.files)('file, $name: $fault', ({ file, fault }) => {
    const parsed = parse(file);
    expect('fault' in parsed ? parsed.fault : null).toBe(fault);
  });

  it.each(vectors.checkpoints)('checkpoint, $name: $result', ({ file, note, result }) => {
    const parsed = parse(file);
    if ('fault' in parsed) throw new Error(parsed.fault);
    const report = verifyPolicy(note, parsed.policy, verifyEd25519);
    expect(report.verified ? 'verified' : report.code).toBe(result);
  });

  it('have at least as many invalid cases as valid ones', () => {
    const { files, checkpoints } = vectors;
    expect(files.filter(({ fault }) => fault !== null).length).toBeGreaterThanOrEqual(files.length / 2);
    const refused = checkpoints.filter(({ result }) => result !== 'verified');
    expect(refused.length).toBeGreaterThanOrEqual(checkpoints.length / 2);
  });
});

describe('a policy file', () => {
  it('names the line of the fault', () => {
    expect(parse('# comment\n\nquorum w1\n')).toEqual({ fault: 'unknownName', line: 3 });
  });

  it('has at most 1000 lines', () => {
    expect(parse(`${'#\n'.repeat(999)}quorum none\n`)).toHaveProperty('policy');
    expect(parse(`${'#\n'.repeat(1_000)}quorum none\n`)).toEqual({ fault: 'tooLarge' });
    // The last line may have no line break.
    expect(parse(`${'#\n'.repeat(999)}quorum none`)).toHaveProperty('policy');
    expect(parse(`${'#\n'.repeat(1_000)}quorum none`)).toEqual({ fault: 'tooLarge' });
  });
});
