import { ConfigError } from '../config.js';
import { describeMissingPart } from './missing-part.js';
import { withoutControls } from './print.js';
import { NotVerifiedError, UsageError } from './usage.js';

/** Identifies an error of the SDK without its class, because only some commands load the SDK. */
interface CliFailure {
  name?: string;
  message?: string;
  code?: string;
  status?: number;
  recovery?: string;
  details?: unknown;
  requestId?: string;
}

const MANAGING = ['orgs', 'projects', 'keys', 'webhooks'];
const UNAUTHORIZED = 401;

/** Writes JSON with `--json`. Returns the exit code. */
export function reportFailure(
  error: unknown,
  { command, argv }: { command: string; argv: string[] },
): number {
  const failure = error as CliFailure;
  const isUsage = error instanceof UsageError || String(failure.code).startsWith('ERR_PARSE_ARGS');
  const message = describeMissingPart(error) ?? describe(failure, command);
  if (argv.includes('--json')) {
    const { name: kind = 'Error', code = kind, recovery, details, requestId } = failure;
    process.stderr.write(`${JSON.stringify({ error: { code, message, recovery, details, requestId } })}\n`);
  } else {
    // The message of a validation error already describes each invalid field, so the remedy is omitted.
    const remedy = failure.code === 'ValidationError' ? '' : (failure.recovery ?? '');
    const said = withoutControls([message, remedy].filter((part) => part !== '').join(' '));
    process.stderr.write(`colophon: ${said}\n${isUsage ? '\nSee colophon --help.\n' : ''}`);
  }
  if (error instanceof NotVerifiedError) return 3;
  return isUsage || error instanceof ConfigError ? 2 : 1;
}

/** Adds the name of the variable that is probably wrong. */
function describe({ name = 'Error', message = name, status }: CliFailure, command: string): string {
  if (name === 'NoAnswerError')
    return `${message} Check that COLOPHON_URL is right and that the service runs.`;
  if (name !== 'ApiError' || status !== UNAUTHORIZED) return message;
  return `${message} Check ${MANAGING.includes(command) ? 'MANAGEMENT_API_KEY' : 'COLOPHON_API_KEY'}.`;
}
