import * as z from 'zod';
import { instantAnswer } from '../records/json-fields.js';
import { roleSchema } from './roles.js';
import { userSchema } from './user.js';

/** The name of a local account: 2 to 64 lower-case letters, digits and `. _ @ + -`, so an email address too. */
export const accountNameField = z
  .string()
  .toLowerCase()
  .regex(
    /^[a-z0-9][a-z0-9._@+-]{1,63}$/,
    'Expected 2 to 64 letters, digits and . _ @ + -, beginning with a letter or digit',
  )
  .meta({ description: 'Name of a local account', examples: ['ann@example.org'] });

const MIN_PASSWORD_LENGTH = 12;

/** A new password: 12 to 256 characters, whichever they are (NIST SP 800-63B §3.1.1.2 asks for length alone). */
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
  .regex(/^[A-Za-z0-9_-]{43}$/, 'Expected the 43 characters of an invitation')
  .meta({ description: 'What a link of an invitation ends in' });

/** A local account that signs in. */
export const signInSchema = z
  .strictObject({ name: accountNameField, password: passwordField })
  .meta({ id: 'SignInRequest' });

/** A new local account, for which an invitation is used up. */
export const signUpSchema = z
  .strictObject({ invitation: invitationField, name: accountNameField, password: newPasswordField })
  .meta({ id: 'SignUpRequest' });

/** Another password for the user's account. */
export const passwordChangeSchema = z
  .strictObject({ currentPassword: passwordField, newPassword: newPasswordField })
  .meta({ id: 'PasswordChange' });

/** What whoever uses an invitation becomes. */
export const invitationInputSchema = z
  .strictObject({ role: roleSchema.default('developer') })
  .meta({ id: 'InvitationRequest' });

/** An invitation as it is shown once, when it is made. */
export const invitationSchema = z
  .object({
    invitation: z.string().meta({ description: 'Shown now and never again; for one use' }),
    path: z.string().meta({ description: 'Of the page that takes it, under the address of the service' }),
    orgSlug: z.string(),
    role: roleSchema,
    expiresAt: instantAnswer,
  })
  .meta({ id: 'Invitation' });

/** An invitation that a signed-in user takes. */
export const invitationUseSchema = z
  .strictObject({ invitation: invitationField })
  .meta({ id: 'InvitationUse' });

/** What a user became by an invitation. */
export const joinedOrgSchema = z
  .object({ orgSlug: z.string(), orgName: z.string(), role: roleSchema })
  .meta({ id: 'JoinedOrg' });

const waysSchema = z.object({
  password: z.boolean().meta({ description: 'Local accounts are on' }),
  openId: z
    .string()
    .nullable()
    .meta({ description: 'Host of the OpenID provider that signs users in; null: none' }),
});

/** Whether the browser is signed in, and how it can be. */
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
        .meta({ description: 'To be sent in X-CSRF-Token with whatever changes something' }),
      expiresAt: instantAnswer.meta({ description: 'At the latest; sooner after 12 idle hours' }),
    }),
  ])
  .meta({ id: 'PageSession' });

/** A local account that signs in, as it is sent. */
export type SignInRequest = z.input<typeof signInSchema>;
/** The same, parsed. */
export type SignIn = z.output<typeof signInSchema>;
/** A new local account. */
export type SignUpRequest = z.input<typeof signUpSchema>;
/** Another password. */
export type PasswordChange = z.output<typeof passwordChangeSchema>;
/** What whoever uses an invitation becomes, as it is sent. */
export type InvitationRequest = z.input<typeof invitationInputSchema>;
/** An invitation as it is shown once. */
export type Invitation = z.output<typeof invitationSchema>;
/** What a user became by an invitation. */
export type JoinedOrg = z.output<typeof joinedOrgSchema>;
/** Whether the browser is signed in, and how it can be. */
export type PageSession = z.output<typeof pageSessionSchema>;
