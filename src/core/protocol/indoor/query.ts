/** The account reference of a call as query parameters (IND-UND-03). */
import { z } from 'zod'
import { OperationMode } from './labels.ts'
import { plainObject } from '../../base/lazy-object.ts'

export const AccountQuery = plainObject(() => ({
  operationMode: OperationMode.optional().describe('Table, tab or counter, with `identifier`.'),
  identifier: z.string().optional().describe('Number of the table, tab or counter.'),
  accountId: z.string().optional().describe('Id of the account, in place of the other two.'),
  merchantId: z.string().optional().describe('Merchant of the account, where several have one.'),
}))
