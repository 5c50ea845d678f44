/** Query parameters of the operations of authentication. */
import { z } from 'zod'
import { maxMerchantsPerPage, merchantStatuses } from './merchants.ts'
import { plainObject } from '../../base/lazy-object.ts'

export const AuthorizationQuery = plainObject(() => ({
  client_id: z.string().min(1).describe('The client that asks for consent.'),
  response_type: z.literal('code').describe('Always `code`.'),
  redirect_uri: z
    .string()
    .optional()
    .describe('Where the outcome is sent to; one that the client has registered.'),
  scope: z.string().optional().describe('Scopes, separated by blanks.'),
  state: z.string().optional().describe('Comes back unchanged in the redirect.'),
}))

export const MerchantsQuery = plainObject(() => ({
  status: z.enum(merchantStatuses).optional().describe('Only merchants of this status.'),
  page: z.int().min(1).max(999_999).optional().describe('Number of the page, from 1.'),
  pageSize: z.int().min(1).max(maxMerchantsPerPage).optional().describe('Merchants in one page.'),
}))
