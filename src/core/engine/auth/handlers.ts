/** Handlers of the authentication operations. */
import { compact } from '../../base/compact.ts'
import { maxMerchantsPerPage, merchantPageOf } from '../../protocol/auth/merchants.ts'
import { withQueryParameters } from '../../protocol/auth/redirect.ts'
import type { TokenRequest } from '../../protocol/auth/token.ts'
import { err, ok } from '../../protocol/result.ts'
import type { OperationHandlers, HandlerInput } from '../handler.ts'

/** A query parameter as a whole number from 1 to `max`; undefined when invalid. */
function numberParam(
  { query }: HandlerInput,
  name: string,
  defaultValue: number,
  max: number,
): number | undefined {
  const [text] = query(name)
  if (text === undefined) return defaultValue
  return /^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= max
    ? Number(text)
    : undefined
}

export const authHandlers = {
  'consent.ask': {
    kind: 'command',
    command: ({ host, query }) => {
      const [clientId] = query('client_id')
      const [redirectUri] = query('redirect_uri')
      const [scope] = query('scope')
      if (!clientId) return err({ code: 'INVALID_PAYLOAD', message: 'client_id is missing' })
      return ok({
        kind: 'consent.ask',
        host,
        clientId,
        responseType: query('response_type')[0] ?? '',
        ...compact({ redirectUri, scope }),
      })
    },
    answer: (facts, { query }) => {
      const fact = facts.find(({ kind }) => kind === 'consent.granted' || kind === 'consent.denied')
      if (fact?.kind !== 'consent.granted' && fact?.kind !== 'consent.denied')
        throw new Error('an authorization has no outcome')
      // The client's `state` is returned unchanged.
      const [state] = query('state')
      const outcome = fact.kind === 'consent.granted' ? { code: fact.code } : { error: fact.error }
      const location = withQueryParameters(fact.redirectUri, {
        ...outcome,
        ...(state ? { state } : {}),
      })
      return { headers: { location, 'cache-control': 'no-store' } }
    },
  },
  'token.issue': {
    kind: 'command',
    command: ({ host, body }) => {
      const request = body as TokenRequest
      return ok({
        kind: 'token.issue',
        host,
        clientId: request.client_id,
        clientSecret: request.client_secret,
        ...compact({
          scope: request.scope,
          grantType: request.grant_type,
          code: request.code,
          redirectUri: request.redirect_uri,
        }),
      })
    },
    answer: (facts, { settings }) => {
      const issued = facts.find((fact) => fact.kind === 'token.issued')
      if (!issued) throw new Error('a token request has no outcome')
      const { tokenLife, tokenUnit, clockSkew } = settings.conduct
      return {
        headers: { 'cache-control': 'no-store' },
        body: {
          access_token: issued.token,
          token_type: 'bearer',
          expires_in:
            tokenUnit === 'seconds'
              ? Math.floor(tokenLife / 1000)
              : Math.floor(issued.expiresAt + clockSkew),
          scope: issued.scopes.join(' '),
        },
      }
    },
  },
  merchants: {
    kind: 'view',
    view: (input) => {
      const { settings, client, query } = input
      const [status] = query('status')
      const rows = settings.merchants.filter(
        (row) =>
          (client?.merchants?.includes(row.merchantId) ?? true) &&
          (status === undefined || row.status === status),
      )
      if (settings.conduct.merchantList === 'array') return ok({ body: rows })
      const page = numberParam(input, 'page', 1, 999_999)
      const pageSize = numberParam(input, 'pageSize', 50, maxMerchantsPerPage)
      if (page === undefined || pageSize === undefined)
        return err({
          code: 'INVALID_PAYLOAD',
          message: `page and pageSize are whole numbers from 1, pageSize ${maxMerchantsPerPage} at most`,
        })
      return ok({ body: merchantPageOf(rows, page, pageSize) })
    },
  },
} satisfies OperationHandlers
