import { slugField, userIdField, uuidField } from '@colophon/model';
import { z } from 'zod';

const orgSlug = slugField(1).meta({ description: 'Slug of an organisation' });

export const orgParams = z.object({ slug: orgSlug });
export const memberParams = z.object({ slug: orgSlug, userId: userIdField });
export const invitationParams = z.object({ slug: orgSlug, invitationId: uuidField });
export const idParams = z.object({ id: uuidField });
export const webhookParams = z.object({ id: uuidField, webhookId: uuidField });
export const projectOrOrgParams = z.object({
  id: z.union([uuidField, orgSlug]).meta({ description: 'Id of a project, or slug of an organisation' }),
});
