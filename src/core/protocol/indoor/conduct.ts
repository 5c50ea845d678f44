/** Session options for what the protocol leaves open in Indoor, each with its default. */
import { z } from 'zod'
import { Duration } from '../duration.ts'
import { optionalAccountEvents } from './events.ts'
import { invoiceIssuers, invoiceMoments } from './fiscal.ts'
import { strictObject } from '../../base/lazy-object.ts'
import { onOrOff, oneWord } from '../setting.ts'

const refusal = z.union([z.literal(409), z.literal(422)])

export const IndoorConduct = strictObject(() => ({
  usesAccountId: onOrOff(true).describe(
    'accounts carry an accountId by which they are found (DIS-IND-04)',
  ),
  invoiceIssuer: oneWord(invoiceIssuers, 'pos').describe('who issues (DIS-IND-02)'),
  invoiceIssueMoment: oneWord(invoiceMoments, 'account_closing').describe(
    'when a fiscal document is due (DIS-IND-03)',
  ),
  fiscalOnClosed: oneWord(['when-due', 'always', 'never'], 'when-due').describe(
    'a fiscal request for a closed account: taken if due at closing (IND-TEN-03)',
  ),
  fiscalDelay: Duration.optional().describe('from a fiscal request to its outcome (IND-RUL-06)'),
  fiscalOutcome: z
    .enum(['issued', 'error'])
    .optional()
    .describe('how every issuance ends; by behaviour when absent (IND-OPS-10)'),
  courtesy: onOrOff(false).describe(
    'an account closes whether or not payments cover it (IND-TRA-04)',
  ),
  overpayment: oneWord(['refuse', 'accept'], 'refuse').describe(
    'a payment of more than what is due',
  ),
  unlockInUse: z
    .union([z.literal(202), refusal])
    .default(202)
    .describe('answer to an unlock of an account in use (IND-PRM-06)'),
  accountLookup: oneWord(['latest-closed', 'open-only'], 'latest-closed').describe(
    'what a key names when no account is open for it (IND-UND-04)',
  ),
  lockedOrder: oneWord(['request-cancellation', 'ignore'], 'request-cancellation').describe(
    'a new order for a locked account: its cancellation is asked for (IND-UND-06)',
  ),
  mirrorItemCancel: onOrOff(true).describe(
    'an item cancelled in Orders is cancelled on its account (IND-TEN-04)',
  ),
  omittedEvents: z
    .array(z.enum(optionalAccountEvents))
    .default([])
    .describe('account events that are never emitted, of those that may be left out'),
  accountShape: oneWord(['standard', 'summary'], 'standard').describe(
    'an account with totals, or with total, paidTotal, fiscalDocuments (IND-UND-01)',
  ),
  eventDetails: oneWord(['payload', 'data'], 'payload').describe(
    'the field in which an account event tells details (IND-UND-05)',
  ),
  eventAnswer: z
    .union([z.literal(204), z.literal(202), z.literal(200)])
    .default(204)
    .describe('our answer to an account event (IND-OPS-12)'),
  accountPaths: oneWord(['flat', 'scoped'], 'flat').describe(
    'the form of the paths that we call (IND-TEN-02)',
  ),
  accountNaming: oneWord(['query', 'body'], 'query').describe(
    'where our calls to flat paths name their account (IND-UND-03)',
  ),
  paymentBody: oneWord(['standard', 'price'], 'standard').describe(
    'our payments: amount and methodInfo, or amount {value, currency} and method',
  ),
}))
export type IndoorConduct = z.infer<typeof IndoorConduct>
