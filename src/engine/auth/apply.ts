/** What the facts about tokens change. */
import { setBounded } from '../bounded.ts'
import type { AuthFact } from '../fact.ts'
import { type Token, worldBounds } from '../world.ts'

export function applyAuth(tokens: Map<string, Token>, fact: AuthFact): void {
  if (fact.kind === 'token.issued') {
    const { host, clientId, expiresAt } = fact
    const token = { host, clientId, expiresAt, scopes: new Set(fact.scopes) }
    setBounded(tokens, fact.token, token, worldBounds.tokens)
    return
  }
  for (const [token, { host, clientId }] of tokens)
    if (host === fact.host && clientId === fact.clientId) tokens.delete(token)
}
