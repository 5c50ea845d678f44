/** Commands of Indoor: `account.…` at the host, `table.…` at its client. */
import { z } from 'zod'
import { ChargeAmount, PaymentMethodInfo } from '../../protocol/indoor/account.ts'
import { AccountEventBody } from '../../protocol/indoor/events.ts'
import type { PaymentInstruction, TransferInstruction } from '../../protocol/indoor/instructions.ts'
import { diningAccountMoves } from '../../protocol/indoor/lifecycle.ts'
import { type CommandIn, commandRow, idField, trueField } from '../command-row.ts'
import { listCount } from '../short-text.ts'
import { strictObject } from '../../base/lazy-object.ts'

const boundedText = z.string().max(1000)
const sum = z.number().min(0).max(1_000_000_000)
const optionalText = z.exactOptional(boundedText)
const optionalSum = z.exactOptional(sum)
const itemIdList = z.array(idField).max(1000)
const moveName = z.enum(diningAccountMoves)
const roundField = z.exactOptional(z.int().min(0))

const Payment: z.ZodType<PaymentInstruction> = strictObject(() => ({
  amount: sum,
  methodInfo: PaymentMethodInfo,
  serviceCharge: z.exactOptional(ChargeAmount),
  tip: optionalSum,
  items: z.exactOptional(itemIdList),
  seat: optionalText,
}))

const Transfer: z.ZodType<TransferInstruction> = strictObject(() => ({
  whole: z.boolean(),
  items: z
    .array(z.strictObject({ itemId: idField, quantity: z.exactOptional(z.number().positive()) }))
    .max(1000),
}))

const accountCommands = {
  /** Adds an INDOOR order that was read to the open account of its key, or opens one. */
  'account.book': commandRow({
    shape: () => ({ orderId: idField }),
    text: () => 'the order comes to its account',
  }),
  /** Copies cancellations from Orders to the accounts. */
  'account.mirror': commandRow({
    shape: () => ({ orderId: idField }),
    text: () => 'what was cancelled in the order is cancelled on its account',
  }),
  /** Cancels an item or part of its quantity. */
  'account.cancel-item': commandRow({
    shape: () => ({
      accountId: idField,
      itemId: idField,
      quantity: z.exactOptional(z.number().positive()),
      reason: optionalText,
    }),
    text: ({ itemId }) => `item ${itemId} is cancelled`,
  }),
  /** Transfers items to another account. */
  'account.transfer': commandRow({
    shape: () => ({
      accountId: idField,
      targetAccountId: idField,
      transfer: Transfer,
      reason: optionalText,
    }),
    text: ({ transfer: { whole, items } }) =>
      whole
        ? 'everything goes to another account'
        : `${listCount(items, 'item')} to another account`,
  }),
  /** Adds a payment to the account. */
  'account.pay': commandRow({
    shape: () => ({ accountId: idField, payment: Payment }),
    text: ({ payment: { amount, methodInfo } }) =>
      `${amount.toFixed(2)} paid by ${methodInfo.method}`,
  }),
  /** The host corrects a payment. */
  'account.adjust-payment': commandRow({
    shape: () => ({ accountId: idField, paymentId: idField, amount: sum, reason: optionalText }),
    text: ({ amount }) => `a payment becomes ${amount.toFixed(2)}`,
  }),
  /** The host grants a discount. */
  'account.discount': commandRow({
    shape: () => ({ accountId: idField, amount: sum, reason: optionalText }),
    text: ({ amount }) => `${amount.toFixed(2)} discount`,
  }),
  /** The host allows the account to close without full payment. */
  'account.courtesy': commandRow({
    shape: () => ({ accountId: idField, reason: optionalText }),
    text: () => 'on the house',
  }),
  /** Locks, unlocks or closes the account. */
  'account.move': commandRow({
    shape: () => ({
      accountId: idField,
      trigger: moveName,
      reason: optionalText,
      requestedBy: optionalText,
      /** Discount granted at closing. */
      discount: optionalSum,
      /** Skips the check against the lifecycle. */
      force: trueField,
    }),
    text: ({ trigger, force }) => `${trigger}${force ? ', forced' : ''}`,
  }),
  /** Requests a fiscal document, which is issued later. */
  'account.request-fiscal': commandRow({
    shape: () => ({
      accountId: idField,
      /** Requested by the host itself: a document that exists already is not announced again. */
      own: trueField,
    }),
    text: () => 'a fiscal document is asked for',
  }),
  /** The outcome of an earlier request: the document is issued, or fails. */
  'account.conclude-fiscal': commandRow({
    shape: () => ({
      accountId: idField,
      outcome: z.enum(['issued', 'error']),
      /** The pending document when absent. */
      documentId: z.exactOptional(idField),
      statusCode: optionalText,
      statusReason: optionalText,
    }),
    text: ({ outcome }) =>
      outcome === 'issued' ? 'the fiscal document is issued' : 'the fiscal document fails',
  }),
}

const tableCommands = {
  /** A webhook delivered an account event to the Ordering Application. */
  'table.notify': commandRow({
    shape: () => ({ event: AccountEventBody }),
    text: ({ event }) => `${event.eventType} reaches OA`,
  }),
  /** Looks up the account of an order for which no account event has arrived. */
  'table.find': commandRow({
    shape: () => ({ orderId: idField }),
    text: () => 'OA looks for the account of the order',
  }),
  /** Reads the account, unless something changed since this was scheduled. */
  'table.look': commandRow({
    shape: () => ({ tableId: idField, round: roundField, byId: trueField }),
    text: () => 'OA reads the account',
  }),
  /** Asks to lock, unlock or close the account. */
  'table.move': commandRow({
    shape: () => ({
      tableId: idField,
      trigger: moveName,
      reason: optionalText,
      discount: optionalSum,
      /** Sends the call even when the lifecycle does not allow it. */
      force: trueField,
    }),
    text: ({ trigger, force }) => `OA ${trigger}${force ? ', out of turn' : ''}`,
  }),
  /** Pays; what is due without an amount. */
  'table.pay': commandRow({
    shape: () => ({
      tableId: idField,
      amount: optionalSum,
      methodInfo: z.exactOptional(PaymentMethodInfo),
      tip: optionalSum,
      force: trueField,
    }),
    text: ({ amount }) => `OA pays ${amount === undefined ? 'what is due' : amount.toFixed(2)}`,
  }),
  'table.cancel-item': commandRow({
    shape: () => ({ tableId: idField, itemId: idField, reason: optionalText, force: trueField }),
    text: ({ itemId }) => `OA cancels item ${itemId}`,
  }),
  /** Asks to transfer items to the account of another table; all items when none are named. */
  'table.transfer': commandRow({
    shape: () => ({
      tableId: idField,
      targetTableId: idField,
      itemIds: z.exactOptional(itemIdList),
      reason: optionalText,
      force: trueField,
    }),
    text: ({ itemIds }) =>
      `OA moves ${itemIds ? listCount(itemIds, 'item') : 'everything'} to another table`,
  }),
  'table.request-fiscal': commandRow({
    shape: () => ({
      tableId: idField,
      printDocument: z.exactOptional(z.boolean()),
      force: trueField,
    }),
    text: () => 'OA asks for the fiscal document',
  }),
  /** Reads the account's payments or fiscal documents, unless something changed since this was scheduled. */
  'table.list': commandRow({
    shape: () => ({
      tableId: idField,
      what: z.enum(['payments', 'documents']),
      round: roundField,
    }),
    text: ({ what }) => `OA reads the ${what}`,
  }),
  /** Ends the guest's visit: no more calls about the account. */
  'table.leave': commandRow({
    shape: () => ({ tableId: idField }),
    text: () => 'the guest goes',
  }),
}

export const indoorCommands = { ...accountCommands, ...tableCommands }

export type TableCommand = CommandIn<typeof tableCommands>
export type IndoorCommand = CommandIn<typeof indoorCommands>
