/** The operations of authentication: every role that hosts a protected operation serves them. */
import { get, operationsOf, post } from '../operation.ts'
import { roles } from '../role.ts'
import { MerchantList } from './merchants.ts'
import { AuthorizationQuery, MerchantsQuery } from './queries.ts'
import { TokenResponse, TokenRequest } from './token.ts'

const hosted = { capability: 'auth', hosts: roles, callers: roles } as const

export const authOperations = operationsOf(hosted, {
  authorize: {
    summary: 'Ask for the consent of a merchant',
    ...get('/oauth/authorize', 302),
    /** Opened in a browser on behalf of a client, before there is a token. */
    access: 'open',
    when: ({ grantTypes }) => grantTypes.includes('authorization_code'),
    query: () => AuthorizationQuery,
    replyHeaders: {
      Location: 'the redirect URI, with `code`, or with `error`',
      'Cache-Control': 'no-store',
    },
    handler: { kind: 'command', name: 'consent.ask' },
    clauses: ['AUT-CRE-03', 'AUT-UND-03'],
  },
  issueToken: {
    summary: 'Issue an access token',
    ...post('/oauth/token', 200),
    access: 'open',
    request: () => TokenRequest,
    form: true,
    response: () => TokenResponse,
    refuses: ['UNAUTHORIZED', 'INVALID_GRANT'],
    replyHeaders: { 'Cache-Control': 'no-store' },
    handler: { kind: 'command', name: 'token.issue' },
    clauses: ['AUT-TOK-01', 'AUT-TOK-02', 'AUT-TEN-02'],
  },
  listMerchants: {
    summary: 'List the merchants that the client may act for',
    ...get('/merchants'),
    access: 'token',
    response: () => MerchantList,
    query: () => MerchantsQuery,
    handler: { kind: 'view', name: 'merchants' },
    clauses: ['AUT-MER-01', 'AUT-UND-02'],
  },
})
