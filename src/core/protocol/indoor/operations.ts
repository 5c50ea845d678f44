/**
 * The operations of Indoor (document 2, Indoor operations): hosted by the Software Service and called by the Ordering
 * Application; the webhook is the other way round. No operation opens an account (IND-GEN-09). Each call is served
 * under a flat path and under the account's path (IND-TEN-02); literal path segments match before {accountId}.
 */
import { get, operationsOf, post } from '../operation.ts'
import { accountMoves, unlockInUse } from '../refusals.ts'
import {
  AccountAnswer,
  AccountItem,
  AccountPayment,
  AccountReceipt,
  FiscalDocumentList,
  PaymentList,
} from './account.ts'
import {
  CloseBody,
  FiscalBody,
  ItemCancelBody,
  PaymentBody,
  PreCloseBody,
  TransferAnswer,
  TransferBody,
  UnlockBody,
} from './bodies.ts'
import { AccountEventBody } from './events.ts'
import { z } from 'zod'
import { OperationMode } from './labels.ts'
import { plainObject } from '../../base/lazy-object.ts'

/** The account reference of a call as query parameters (IND-UND-03). */
const AccountQuery = plainObject(() => ({
  operationMode: OperationMode.optional().describe('Table, tab or counter, with `identifier`.'),
  identifier: z.string().optional().describe('Number of the table, tab or counter.'),
  accountId: z.string().optional().describe('Id of the account, in place of the other two.'),
  merchantId: z.string().optional().describe('Merchant of the account, where several have one.'),
}))

const hosted = {
  capability: 'indoor',
  hosts: ['software-service'],
  callers: ['ordering-application'],
  access: { scope: 'orders' },
} as const

/** A call on an account, which the query may name. */
const onAccount = {
  ...hosted,
  query: () => AccountQuery,
  refuses: ['ACCOUNT_NOT_FOUND'],
} as const

/** A call under the flat path and under the account's. */
const underAccount = ({ path, ...call }: ReturnType<typeof get | typeof post>) => ({
  ...call,
  path: `/accounts${path}`,
  aliases: [`/accounts/{accountId}${path}`],
})

export const indoorOperations = operationsOf(hosted, {
  getAccount: {
    ...onAccount,
    summary: 'Read the account of a table, tab or card',
    ...get('/accounts'),
    response: () => AccountAnswer,
    handler: { kind: 'view', name: 'account' },
    clauses: ['IND-OPS-01', 'IND-UND-04'],
  },
  getAccountById: {
    ...onAccount,
    summary: 'Read an account by its id',
    ...get('/accounts/{accountId}'),
    response: () => AccountAnswer,
    when: ({ indoor }) => indoor.usesAccountId,
    handler: { kind: 'view', name: 'account-by-id' },
    clauses: ['IND-OPS-02', 'DIS-IND-04'],
  },
  preCloseAccount: {
    ...onAccount,
    summary: 'Lock an account for payment',
    ...underAccount(post('/pre-close', 202)),
    request: () => PreCloseBody,
    response: () => AccountReceipt,
    refuses: accountMoves,
    handler: { kind: 'command', name: 'account.pre-close' },
    clauses: ['IND-OPS-03', 'IND-RUL-04'],
  },
  unlockAccount: {
    ...onAccount,
    summary: 'Unlock an account',
    ...underAccount(post('/unlock', 202)),
    request: () => UnlockBody,
    response: () => AccountReceipt,
    refuses: [...accountMoves, unlockInUse],
    handler: { kind: 'command', name: 'account.unlock' },
    clauses: ['IND-OPS-04'],
  },
  closeAccount: {
    ...onAccount,
    summary: 'Close an account',
    ...underAccount(post('/close', 202)),
    request: () => CloseBody,
    response: () => AccountReceipt,
    refuses: [...accountMoves, 'INSUFFICIENT_PAYMENT'],
    handler: { kind: 'command', name: 'account.close' },
    clauses: ['IND-OPS-05', 'IND-RUL-04'],
  },
  cancelAccountItem: {
    ...onAccount,
    summary: 'Cancel an item of an account',
    ...underAccount(post('/items/{itemId}/cancel', 200)),
    request: () => ItemCancelBody,
    response: () => AccountItem,
    distinguishedBy: 'content',
    refuses: [...accountMoves, 'NOT_FOUND', 'UNPROCESSABLE'],
    handler: { kind: 'command', name: 'account.cancel-item' },
    clauses: ['IND-OPS-06'],
  },
  transferAccountContent: {
    ...onAccount,
    summary: 'Transfer items to another account',
    ...underAccount(post('/transfers', 200)),
    request: () => TransferBody,
    response: () => TransferAnswer,
    refuses: [...accountMoves, 'NOT_FOUND', 'CONFLICT', 'UNPROCESSABLE'],
    handler: { kind: 'command', name: 'account.transfer' },
    clauses: ['IND-OPS-07', 'IND-RUL-05'],
  },
  createPayment: {
    ...onAccount,
    summary: 'Add a payment to an account',
    ...underAccount(post('/payments', 200)),
    request: () => PaymentBody,
    response: () => AccountPayment,
    refuses: [...accountMoves, 'PAYMENT_EXCEEDS_DUE', 'UNPROCESSABLE'],
    handler: { kind: 'command', name: 'account.pay' },
    clauses: ['IND-OPS-08', 'IND-RUL-01'],
  },
  listAccountPayments: {
    ...onAccount,
    summary: 'List the payments of an account',
    ...underAccount(get('/payments')),
    response: () => PaymentList,
    handler: { kind: 'view', name: 'account-payments' },
    clauses: ['IND-OPS-09'],
  },
  requestFiscalDocument: {
    ...onAccount,
    summary: 'Request the fiscal document of an account',
    ...underAccount(post('/fiscal', 202)),
    request: () => FiscalBody,
    response: () => AccountReceipt,
    refuses: [...accountMoves, 'CONFLICT'],
    handler: { kind: 'command', name: 'account.request-fiscal' },
    clauses: ['IND-OPS-10', 'IND-RUL-06', 'IND-TEN-03'],
  },
  listAccountFiscalDocuments: {
    ...onAccount,
    summary: 'List the fiscal documents of an account',
    ...underAccount(get('/fiscal')),
    response: () => FiscalDocumentList,
    handler: { kind: 'view', name: 'account-documents' },
    clauses: ['IND-OPS-11'],
  },
  receiveAccountEvent: {
    summary: 'Receive an event of an account',
    hosts: ['ordering-application'],
    callers: ['software-service'],
    ...post('/webhooks/accounts', 204),
    request: () => AccountEventBody,
    webhook: 'accounts',
    answers: ({ indoor }) => [{ status: indoor.eventAnswer }],
    handler: { kind: 'command', name: 'table.notify' },
    clauses: ['IND-OPS-12', 'IND-EVR-03', 'IND-UND-05'],
  },
})
