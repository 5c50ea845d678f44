/** What stands behind the operations of authentication. */
import type { TokenRequest } from '../../protocol/auth/token.ts'
import { ok } from '../../protocol/result.ts'
import type { Handlers } from '../handler.ts'

export const authHandlers: Handlers = {
  'token.issue': {
    kind: 'command',
    command: ({ host, body }) => {
      const request = body as TokenRequest
      return ok({
        kind: 'token.issue',
        host,
        clientId: request.client_id,
        clientSecret: request.client_secret,
        ...(request.scope === undefined ? {} : { scope: request.scope }),
      })
    },
    answer: (facts, { settings }) => {
      const issued = facts.find((fact) => fact.kind === 'token.issued')
      if (!issued) throw new Error('a token request came to nothing')
      const { tokenLife, tokenUnit } = settings.conduct
      return {
        headers: { 'cache-control': 'no-store' },
        body: {
          access_token: issued.token,
          token_type: 'bearer',
          expires_in:
            tokenUnit === 'seconds' ? Math.floor(tokenLife / 1000) : Math.floor(issued.expiresAt),
          scope: issued.scopes.join(' '),
        },
      }
    },
  },
  merchants: {
    kind: 'view',
    view: ({ settings, client }) =>
      ok({
        body: settings.merchants.filter(
          ({ merchantId }) => client?.merchants?.includes(merchantId) ?? true,
        ),
      }),
  },
}
