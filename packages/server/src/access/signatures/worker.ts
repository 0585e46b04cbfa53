import { sign } from 'node:crypto';
import { parentPort } from 'node:worker_threads';
import type { ThreadReply, ThreadRequest } from '../../platform/threads/thread-client.js';
import { createVerifySignature } from '../ed25519.js';
import type { CheckedSignature, CheckTask, SignatureVerdict, SigningTask } from './protocol.js';
import { runChecks } from './run-checks.js';

/** Number of verifications in one turn, about 4 ms. A long text counts as several verifications. */
const TURN_VERIFICATIONS = 32;
/** Hashing a text of this size takes as long as one verification. */
const BYTES_PER_VERIFICATION = 2 ** 15;

interface SignatureTask {
  id: number;
  steps: Pick<Generator<number, SignatureVerdict[] | Uint8Array>, 'next'>;
  verifications: number;
  /**
   * The buffers that the reply moves back. If they stayed here, V8 would free them late, because this thread allocates
   * little memory.
   */
  moved: ArrayBuffer[];
}

const verify = createVerifySignature();
/** Waiting tasks by project, oldest first. The first project has the next turn. */
const waiting = new Map<string, SignatureTask[]>();

parentPort?.on('message', ({ id, projectId, ...request }: ThreadRequest<CheckTask | SigningTask>) => {
  if (waiting.size === 0) setImmediate(runNextTurn);
  const steps = 'key' in request ? toSigningSteps(request) : runChecks(verify, request);
  const moved = 'key' in request && request.bytes.buffer instanceof ArrayBuffer ? [request.bytes.buffer] : [];
  const task = { id, steps, verifications: 0, moved };
  const tasks = waiting.get(projectId);
  if (tasks === undefined) waiting.set(projectId, [task]);
  else tasks.push(task);
});

/** Signs in one step, about 3 ms for each MiB. */
function toSigningSteps({ key, bytes }: Omit<SigningTask, 'projectId'>): SignatureTask['steps'] {
  return { next: () => ({ done: true, value: sign(null, bytes, key) }) };
}

function runNextTurn(): void {
  const [front] = waiting;
  if (front === undefined) return;
  const [projectId, tasks] = front;
  waiting.delete(projectId);
  const [task] = tasks;
  if (task !== undefined && isDoneAfterTurn(task)) tasks.shift();
  if (tasks.length > 0) waiting.set(projectId, tasks);
  if (waiting.size > 0) setImmediate(runNextTurn);
}

function isDoneAfterTurn(task: SignatureTask): boolean {
  try {
    for (let used = 0; used < TURN_VERIFICATIONS; ) {
      const step = task.steps.next();
      if (step.done) return send(task, { answer: toAnswer(task, step.value) });
      task.verifications += 1;
      used += 1 + step.value / BYTES_PER_VERIFICATION;
    }
    return false;
  } catch (error) {
    return send(task, { failure: String(error) });
  }
}

function toAnswer(
  { verifications }: SignatureTask,
  found: SignatureVerdict[] | Uint8Array,
): CheckedSignature | Uint8Array {
  return found instanceof Uint8Array ? found : { verifications, verdicts: found };
}

function send(
  { id, moved }: SignatureTask,
  outcome: { answer: CheckedSignature | Uint8Array } | { failure: string },
): true {
  const reply: ThreadReply<CheckedSignature | Uint8Array> = { id, ...outcome };
  parentPort?.postMessage(reply, moved);
  return true;
}
