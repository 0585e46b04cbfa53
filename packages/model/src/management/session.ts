import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { roleSchema } from './roles.js';
import { userSchema } from './user.js';

/**
 * The name of a local account: 2 to 64 letters, digits and `. _ @ + -`, beginning with a letter or digit. Upper-case
 * letters become lower-case. The name can be an e-mail address.
 */
export const accountNameField = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9._@+-]{1,63}$/,
    'Expected 2 to 64 letters, digits and . _ @ + -, beginning with a letter or digit',
  )
  .meta({ description: 'Name of a local account', examples: ['ann@example.org'] });

const MIN_PASSWORD_LENGTH = 12;

/**
 * A new password: at least 12 code points, and at most 256 UTF-16 units. There are no rules about the kinds of
 * characters, because NIST SP 800-63B §3.1.1.2 forbids them.
 */
export const newPasswordField = z
  .string()
  .max(256)
  .refine(
    (text) => [...text].length >= MIN_PASSWORD_LENGTH,
    `Expected at least ${MIN_PASSWORD_LENGTH} characters`,
  )
  .meta({ writeOnly: true });

const passwordField = z.string().min(1).max(256).meta({ writeOnly: true });
const invitationField = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Expected an invitation: 43 letters, digits, _ or -')
  .meta({ description: 'The last part of an invitation link' });

/** Schema of a sign-in to a local account. */
export const signInSchema = z
  .strictObject({ name: accountNameField, password: passwordField })
  .meta({ id: 'SignInRequest' });

/** Schema of a new local account. The creation of the account uses up the invitation. */
export const signUpSchema = z
  .strictObject({ invitation: invitationField, name: accountNameField, password: newPasswordField })
  .meta({ id: 'SignUpRequest' });

/** Schema of a change of the user's password. */
export const passwordChangeSchema = z
  .strictObject({ currentPassword: passwordField, newPassword: newPasswordField })
  .meta({ id: 'PasswordChange' });

/** Schema of the membership that an invitation grants. */
export const invitationInputSchema = z
  .strictObject({ role: roleSchema.default('developer') })
  .meta({ id: 'InvitationRequest' });

/** Schema of an invitation with its secret. Only the response to its creation contains the secret. */
export const invitationSchema = z
  .object({
    id: z.uuid(),
    invitation: z.string().meta({ description: 'The secret, for one use; only this response contains it' }),
    path: z.string().meta({
      description: 'Path of the page that accepts the invitation, under the address of the service',
    }),
    orgSlug: z.string(),
    role: roleSchema,
    expiresAt: instantAnswer,
  })
  .meta({ id: 'Invitation' });

/** Schema of an invitation that nobody has used, in the list of its organisation. */
export const openInvitationSchema = z
  .object({
    id: z.uuid(),
    role: roleSchema,
    madeBy: z.string().meta({ description: 'Id of the user who created the invitation' }),
    createdAt: instantAnswer,
    expiresAt: instantAnswer,
  })
  .meta({ id: 'OpenInvitation' });

/** Schema of a request that names an invitation by its secret. */
export const invitationUseSchema = z
  .strictObject({ invitation: invitationField })
  .meta({ id: 'InvitationUse' });

/** Schema of the result of a check of an invitation. */
export const invitationCheckSchema = z
  .discriminatedUnion('valid', [
    z.object({
      valid: z.literal(false).meta({
        description:
          'The invitation is unknown, used, withdrawn or expired, or its creator may no longer invite',
      }),
    }),
    z.object({
      valid: z.literal(true),
      orgName: z.string(),
      role: roleSchema,
      invitedBy: z.string().nullable().meta({
        description:
          'Name of the user who created the invitation, or else the sign-in name. Null if it is unknown or an e-mail address',
      }),
    }),
  ])
  .meta({ id: 'InvitationCheck' });

/** Schema of the membership that a user got from an invitation. */
export const joinedOrgSchema = z
  .object({ orgSlug: z.string(), orgName: z.string(), role: roleSchema })
  .meta({ id: 'JoinedOrg' });

const waysSchema = z.object({
  password: z.boolean().meta({ description: 'Whether users can sign in with a local account' }),
  openId: z
    .string()
    .nullable()
    .meta({ description: 'Host of the OpenID provider that signs users in; null: none' }),
});

/** Schema of the state of a browser's session: whether it is signed in, and the available ways to sign in. */
export const pageSessionSchema = z
  .discriminatedUnion('signedIn', [
    z.object({ signedIn: z.literal(false), ways: waysSchema }),
    z.object({
      signedIn: z.literal(true),
      ways: waysSchema,
      way: z.enum(['password', 'openId']),
      user: userSchema,
      csrfToken: z
        .string()
        .meta({ description: 'Send it in X-CSRF-Token with each request that changes data' }),
      expiresAt: instantAnswer.meta({
        description:
          'Latest time at which the session ends. The session also ends after 12 hours without a request',
      }),
    }),
  ])
  .meta({ id: 'PageSession' });

/** A sign-in to a local account, as a caller sends it. */
export type SignInRequest = z.input<typeof signInSchema>;
/** A parsed sign-in to a local account. */
export type SignIn = z.output<typeof signInSchema>;
/** A new local account, as a caller sends it. */
export type SignUpRequest = z.input<typeof signUpSchema>;
/** A change of the user's password. */
export type PasswordChange = z.output<typeof passwordChangeSchema>;
/** The membership that an invitation grants, as a caller sends it. */
export type InvitationRequest = z.input<typeof invitationInputSchema>;
/** An invitation with its secret. */
export type Invitation = z.output<typeof invitationSchema>;
/** An invitation that nobody has used, without its secret. */
export type OpenInvitation = z.output<typeof openInvitationSchema>;
/** The result of a check of an invitation. */
export type InvitationCheck = z.output<typeof invitationCheckSchema>;
/** The membership that a user got from an invitation. */
export type JoinedOrg = z.output<typeof joinedOrgSchema>;
/** Whether the browser is signed in, and the available ways to sign in. */
export type PageSession = z.output<typeof pageSessionSchema>;
