export {
  type ApiKey,
  type ApiKeyDetails,
  type ApiKeyRequest,
  apiKeyDetailsSchema,
  apiKeyInputSchema,
  apiKeySchema,
  type CreatedApiKey,
  createdApiKeySchema,
  type KeyVerdict,
  keyVerdictSchema,
  type RotationRequest,
  rotationInputSchema,
} from './api-key.js';
export { type AuditEntry, auditEntrySchema } from './audit-entry.js';
export { slugField, userIdField } from './management-fields.js';
export {
  type Member,
  type MemberInput,
  type MemberRequest,
  memberInputSchema,
  memberPatchSchema,
  memberSchema,
} from './member.js';
export { type Network, networkSchema } from './network.js';
export {
  type Org,
  type OrgInput,
  type OrgPatch,
  orgInputSchema,
  orgPatchSchema,
  orgSchema,
} from './org.js';
export {
  type Project,
  type ProjectDetails,
  type ProjectItem,
  type ProjectLimits,
  type ProjectPatch,
  type ProjectRequest,
  projectDetailsSchema,
  projectInputSchema,
  projectItemSchema,
  projectLimitsSchema,
  projectPatchSchema,
  projectSchema,
} from './project.js';
export {
  PERMISSIONS,
  type Permission,
  permissionSchema,
  ROLES,
  type Role,
  roleSchema,
} from './roles.js';
export {
  accountNameField,
  type Invitation,
  type InvitationCheck,
  type InvitationRequest,
  invitationCheckSchema,
  invitationInputSchema,
  invitationSchema,
  invitationUseSchema,
  type JoinedOrg,
  joinedOrgSchema,
  newPasswordField,
  type OpenInvitation,
  openInvitationSchema,
  type PageSession,
  type PasswordChange,
  pageSessionSchema,
  passwordChangeSchema,
  type SignIn,
  type SignInRequest,
  type SignUpRequest,
  signInSchema,
  signUpSchema,
} from './session.js';
export { type RequestLog, requestLogSchema, type Usage, usageSchema } from './usage.js';
export { type User, type UserInput, userInputSchema, userSchema } from './user.js';
export {
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookDelivery,
  type WebhookDetails,
  type WebhookEvent,
  type WebhookMissed,
  type WebhookPatch,
  type WebhookRequest,
  type WebhookWithSecret,
  webhookDeliverySchema,
  webhookInputSchema,
  webhookPatchSchema,
  webhookSchema,
  webhookWithSecretSchema,
} from './webhook.js';
