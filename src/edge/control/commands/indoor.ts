/** Schemas of the Indoor commands. */
import { z } from 'zod'
import { ChargeAmount, PaymentMethodInfo } from '../../../protocol/indoor/account.ts'
import { AccountEventBody } from '../../../protocol/indoor/events.ts'
import { diningAccountMoves } from '../../../protocol/indoor/lifecycle.ts'
import { idField, trueField } from '../../../engine/command-row.ts'
import { commandSchema } from './row.ts'

const text = z.string().max(1000)
const sum = z.number().min(0).max(1_000_000_000)
const reason = z.exactOptional(text)
const trigger = z.enum(diningAccountMoves)
const itemIds = z.array(idField).max(1000)

const Payment = z.strictObject({
  amount: sum,
  methodInfo: PaymentMethodInfo,
  serviceCharge: z.exactOptional(ChargeAmount),
  tip: z.exactOptional(sum),
  items: z.exactOptional(itemIds),
  seat: z.exactOptional(text),
})

const Transfer = z.strictObject({
  whole: z.boolean(),
  items: z
    .array(z.strictObject({ itemId: idField, quantity: z.exactOptional(z.number().positive()) }))
    .max(1000),
})

export const indoorCommands = {
  'account.book': commandSchema('account.book', { orderId: idField }),
  'account.mirror': commandSchema('account.mirror', { orderId: idField }),
  'account.cancel-item': commandSchema('account.cancel-item', {
    accountId: idField,
    itemId: idField,
    quantity: z.exactOptional(z.number().positive()),
    reason,
  }),
  'account.transfer': commandSchema('account.transfer', {
    accountId: idField,
    targetAccountId: idField,
    transfer: Transfer,
    reason,
  }),
  'account.pay': commandSchema('account.pay', { accountId: idField, payment: Payment }),
  'account.adjust-payment': commandSchema('account.adjust-payment', {
    accountId: idField,
    paymentId: idField,
    amount: sum,
    reason,
  }),
  'account.discount': commandSchema('account.discount', {
    accountId: idField,
    amount: sum,
    reason,
  }),
  'account.courtesy': commandSchema('account.courtesy', { accountId: idField, reason }),
  'account.move': commandSchema('account.move', {
    accountId: idField,
    trigger,
    reason,
    requestedBy: z.exactOptional(text),
    discount: z.exactOptional(sum),
    force: trueField,
  }),
  'account.request-fiscal': commandSchema('account.request-fiscal', {
    accountId: idField,
    own: trueField,
  }),
  'account.conclude-fiscal': commandSchema('account.conclude-fiscal', {
    accountId: idField,
    outcome: z.enum(['issued', 'error']),
    documentId: z.exactOptional(idField),
    statusCode: z.exactOptional(text),
    statusReason: z.exactOptional(text),
  }),
  'table.notify': commandSchema('table.notify', { event: AccountEventBody }),
  'table.find': commandSchema('table.find', { orderId: idField }),
  'table.look': commandSchema('table.look', {
    tableId: idField,
    round: z.exactOptional(z.int().min(0)),
  }),
  'table.move': commandSchema('table.move', {
    tableId: idField,
    trigger,
    reason,
    discount: z.exactOptional(sum),
    force: trueField,
  }),
  'table.pay': commandSchema('table.pay', {
    tableId: idField,
    amount: z.exactOptional(sum),
    methodInfo: z.exactOptional(PaymentMethodInfo),
    tip: z.exactOptional(sum),
    force: trueField,
  }),
  'table.cancel-item': commandSchema('table.cancel-item', {
    tableId: idField,
    itemId: idField,
    reason,
    force: trueField,
  }),
  'table.transfer': commandSchema('table.transfer', {
    tableId: idField,
    targetTableId: idField,
    itemIds: z.exactOptional(itemIds),
    reason,
    force: trueField,
  }),
  'table.request-fiscal': commandSchema('table.request-fiscal', {
    tableId: idField,
    printDocument: z.exactOptional(z.boolean()),
    force: trueField,
  }),
  'table.list': commandSchema('table.list', {
    tableId: idField,
    what: z.enum(['payments', 'documents']),
    round: z.exactOptional(z.int().min(0)),
  }),
  'table.leave': commandSchema('table.leave', { tableId: idField }),
}
