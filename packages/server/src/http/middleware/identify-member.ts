import { uuidField } from '@colophon/model';
import type { FastifyRequest } from 'fastify';
import type { MemberPrincipal } from '../../control/principal.js';
import { ServiceError } from '../../errors.js';
import { noProject } from '../../management/require-member.js';
import { requireMemberPrincipal } from '../../management/require-member-principal.js';
import type { AppDeps } from '../app.js';
import { assertOwnPage, requireSession } from './guard-page.js';
import { countPageRead } from './limit-requests.js';

/**
 * Values of `Sec-Fetch-Dest` for which a browser does not run the response as code. A browser sends the cookie also
 * when it loads a script, so recorded bytes could become a script of the page.
 */
const PASSIVE = ['empty', 'image', 'audio', 'video', 'document'];

/**
 * Returns the signed-in user as the caller of a request for a project. Throws the same `NotFound` for an absent project
 * and for one of which the user is not a member. Reads the session and membership for each request, so their end has an
 * immediate effect.
 */
export async function identifyMember(
  deps: Pick<AppDeps, 'limits' | 'sessions' | 'management'>,
  request: FastifyRequest,
): Promise<MemberPrincipal> {
  const { control, publicUrl } = deps.management.deps;
  assertOwnPage(request, publicUrl);
  assertPassive(request);
  await countPageRead(deps.limits, request);
  const { userId } = await requireSession(deps, request);
  const { projectId } = request.params as { projectId: string };
  // The parsed id is in lower case, so an id in capitals has the same rate limits.
  const id = uuidField.safeParse(projectId);
  if (!id.success) throw noProject(projectId);
  return requireMemberPrincipal(control, { projectId: id.data, userId });
}

function assertPassive({ headers }: FastifyRequest): void {
  const { 'sec-fetch-dest': destination = 'empty' } = headers;
  if (PASSIVE.includes(String(destination))) return;
  throw new ServiceError('Forbidden', `This route returns no data for \`Sec-Fetch-Dest: ${destination}\`.`, {
    recovery: 'Read the data with fetch, or show it as an image, sound or video.',
  });
}
