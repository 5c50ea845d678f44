/** Bodies of the token request and response, as documented and as real partners send them (AUT-TOK-02, AUT-UND-03). */
import { z } from 'zod'
import { looseObject } from '../../base/lazy-object.ts'

/** Form-encoded or JSON; `grant_type` is optional, since the documents do not name it. */
export const TokenRequest = looseObject(() => ({
  client_id: z.string().min(1),
  client_secret: z.string(),
  grant_type: z.string().optional(),
  scope: z.string().optional(),
  /** Authorization code and its redirect URI, for the grant authorization_code. */
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
}))
export type TokenRequest = z.infer<typeof TokenRequest>

/** There is no refresh token: a client requests a new token instead (AUT-TOK-04). */
export const TokenResponse = looseObject(() => ({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number(),
  scope: z.string().optional(),
}))
export type TokenResponse = z.infer<typeof TokenResponse>

/**
 * The fields that we need of a partner's response; the documents show none, so all others may be missing (AUT-UND-03).
 */
export const ReceivedToken = looseObject(() => ({
  access_token: z.string().min(1),
  expires_in: z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).default(3600),
}))

/** Unit of `expires_in`: seconds from now, or, for one partner, an absolute epoch in milliseconds. */
export const tokenUnits = ['seconds', 'epoch-milliseconds'] as const

/**
 * Remaining lifetime of a token in ms. A value too large for a lifetime is an absolute epoch in ms: read as seconds it
 * would keep an expired token in use for 50,000 years.
 */
export function remainingTokenLifeMs(expiresIn: number, nowMs: number): number {
  const aCenturyInSeconds = 100 * 365 * 24 * 3600
  return expiresIn > aCenturyInSeconds ? Math.max(0, expiresIn - nowMs) : expiresIn * 1000
}
