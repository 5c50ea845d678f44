/** The operations of authentication: every role that hosts a protected operation serves them. */
import { defineOperation } from '../operation.ts'
import { roles } from '../role.ts'
import { MerchantList } from './merchants.ts'
import { AuthorizationQuery, MerchantsQuery } from './queries.ts'
import { TokenResponse, TokenRequest } from './token.ts'

export const authOperations = [
  defineOperation({
    id: 'authorize',
    summary: 'Ask for the consent of a merchant',
    capability: 'auth',
    hosts: roles,
    callers: roles,
    method: 'GET',
    path: '/oauth/authorize',
    /** Opened in a browser on behalf of a client, before there is a token. */
    access: 'open',
    success: 302,
    when: ({ grantTypes }) => grantTypes.includes('authorization_code'),
    query: () => AuthorizationQuery,
    replyHeaders: {
      Location: 'the redirect URI, with `code`, or with `error`',
      'Cache-Control': 'no-store',
    },
    handler: { kind: 'command', name: 'consent.ask' },
    clauses: ['AUT-CRE-03', 'AUT-UND-03'],
  }),
  defineOperation({
    id: 'issueToken',
    summary: 'Issue an access token',
    capability: 'auth',
    hosts: roles,
    callers: roles,
    method: 'POST',
    path: '/oauth/token',
    access: 'open',
    success: 200,
    request: () => TokenRequest,
    form: true,
    response: () => TokenResponse,
    refuses: ['UNAUTHORIZED', 'INVALID_GRANT'],
    replyHeaders: { 'Cache-Control': 'no-store' },
    handler: { kind: 'command', name: 'token.issue' },
    clauses: ['AUT-TOK-01', 'AUT-TOK-02', 'AUT-TEN-02'],
  }),
  defineOperation({
    id: 'listMerchants',
    summary: 'List the merchants that the client may act for',
    capability: 'auth',
    hosts: roles,
    callers: roles,
    method: 'GET',
    path: '/merchants',
    access: 'token',
    success: 200,
    response: () => MerchantList,
    query: () => MerchantsQuery,
    handler: { kind: 'view', name: 'merchants' },
    clauses: ['AUT-MER-01', 'AUT-UND-02'],
  }),
] as const
