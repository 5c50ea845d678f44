/** Applies facts about tokens and authorization codes. */
import { assertNever } from '../../protocol/result.ts'
import { addBounded, setBounded } from '../bounded.ts'
import { type World, worldBounds } from '../world.ts'
import { revocationKey } from './access-token.ts'
import type { AuthFact } from './fact.ts'

export function applyAuth({ tokens, codes, revocations }: World, fact: AuthFact): void {
  switch (fact.kind) {
    case 'consent.granted': {
      const { host, clientId, redirectUri, named, expiresAt } = fact
      const code = { host, clientId, redirectUri, named, expiresAt, scopes: fact.scopes }
      return setBounded(codes, fact.code, code, worldBounds.codes)
    }
    case 'consent.denied':
      return
    case 'token.issued': {
      const { host, clientId, expiresAt, code } = fact
      if (code !== undefined) codes.delete(code)
      const token = { host, clientId, expiresAt, scopes: new Set(fact.scopes) }
      return setBounded(tokens, fact.token, token, worldBounds.tokens)
    }
    case 'token.revoked':
      addBounded(revocations, revocationKey(fact), worldBounds.revocations)
      for (const [token, { host, clientId }] of tokens)
        if (host === fact.host && clientId === fact.clientId) tokens.delete(token)
      for (const [code, { host, clientId }] of codes)
        if (host === fact.host && clientId === fact.clientId) codes.delete(code)
      return
    default:
      return assertNever(fact)
  }
}
