/** Commands of authentication: `consent.…` and `token.…`. */
import { z } from 'zod'
import { RoleName } from '../../protocol/role-schema.ts'
import { type CommandIn, commandRow, idField } from '../command-row.ts'

const optionalText = z.exactOptional(z.string())

export const authCommands = {
  /** An authorization request, sent through a browser: may this client act on behalf of its merchants? */
  'consent.ask': commandRow({
    shape: () => ({
      host: RoleName,
      clientId: idField,
      responseType: z.string(),
      redirectUri: optionalText,
      scope: optionalText,
    }),
    text: ({ clientId }) => `${clientId} asks for an authorization`,
  }),
  /** A client requests a token of a role that we play. */
  'token.issue': commandRow({
    shape: () => ({
      host: RoleName,
      clientId: idField,
      clientSecret: z.string(),
      scope: optionalText,
      /** The grant type; client credentials when absent. */
      grantType: optionalText,
      /** For the authorization code grant: the code, and the URI that it was sent to. */
      code: optionalText,
      redirectUri: optionalText,
    }),
    text: ({ clientId }) => `a token for ${clientId}`,
  }),
  /** Revokes every token of a client. */
  'token.revoke': commandRow({
    shape: () => ({ host: RoleName, clientId: idField }),
    text: ({ clientId }) => `the tokens of ${clientId} are revoked`,
  }),
}

export type AuthCommand = CommandIn<typeof authCommands>
