/** The operations of authentication: every role that hosts a protected operation serves them. */
import { get, operationsOf, post } from '../operation.ts'
import { roles } from '../role.ts'
import { maxMerchantsPerPage, MerchantList, merchantStatuses } from './merchants.ts'
import { TokenRequest, TokenResponse } from './token.ts'
import { z } from 'zod'
import { plainObject } from '../../base/lazy-object.ts'

/** Query parameters of the operations of authentication. */
const AuthorizationQuery = plainObject(() => ({
  client_id: z.string().min(1).describe('The client that asks for consent.'),
  response_type: z.literal('code').describe('Always `code`.'),
  redirect_uri: z
    .string()
    .optional()
    .describe('Where the outcome is sent to; one that the client has registered.'),
  scope: z.string().optional().describe('Scopes, separated by blanks.'),
  state: z.string().optional().describe('Comes back unchanged in the redirect.'),
}))

const MerchantsQuery = plainObject(() => ({
  status: z.enum(merchantStatuses).optional().describe('Only merchants of this status.'),
  page: z.int().min(1).max(999_999).optional().describe('Number of the page, from 1.'),
  pageSize: z.int().min(1).max(maxMerchantsPerPage).optional().describe('Merchants in one page.'),
}))

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
