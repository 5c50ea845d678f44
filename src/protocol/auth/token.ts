/** The token request and its answer, as the documents and the field have them (AUT-TOK-02, AUT-UND-03). */
import { z } from 'zod'

/** Sent as a form or as JSON; `grant_type` may be missing, since the documents do not name it. */
export const TokenRequest = z.looseObject({
  client_id: z.string().min(1),
  client_secret: z.string(),
  grant_type: z.string().optional(),
  scope: z.string().optional(),
  /** What an authorization came to, and where it was sent: for the grant authorization_code. */
  code: z.string().optional(),
  redirect_uri: z.string().optional(),
})
export type TokenRequest = z.infer<typeof TokenRequest>

/** There is no refresh token: whoever needs another token asks again (AUT-TOK-04). */
export const TokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.number(),
  scope: z.string().optional(),
})
export type TokenAnswer = z.infer<typeof TokenAnswer>

/** What we need of somebody's answer; the documents show no fields, so everything else may be missing (AUT-UND-03). */
export const TokenReceived = z.looseObject({
  access_token: z.string().min(1),
  expires_in: z.union([z.number(), z.string().regex(/^\d+$/).transform(Number)]).default(3600),
})

/** How `expires_in` is written: seconds from now, or, by one partner, an absolute epoch in milliseconds. */
export const tokenUnits = ['seconds', 'epoch-milliseconds'] as const

/**
 * The milliseconds that a token still lives. A value too large for a lifetime is an absolute epoch: read as seconds
 * it would keep a dead token for 50,000 years.
 */
export function tokenLifeMs(expiresIn: number, nowMs: number): number {
  const aCenturyInSeconds = 100 * 365 * 24 * 3600
  return expiresIn > aCenturyInSeconds ? Math.max(0, expiresIn - nowMs) : expiresIn * 1000
}
