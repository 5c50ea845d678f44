/** Schemas of the Indoor commands. */
import { z } from 'zod'
import { ChargeAmount, PaymentMethodInfo } from '../../../protocol/indoor/account.ts'
import { AccountEvent } from '../../../protocol/indoor/events.ts'
import { accountMoves } from '../../../protocol/indoor/lifecycle.ts'
import { command, id, yes } from './row.ts'

const text = z.string().max(1000)
const sum = z.number().min(0).max(1_000_000_000)
const reason = z.exactOptional(text)
const trigger = z.enum(accountMoves)
const itemIds = z.array(id).max(1000)

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
    .array(z.strictObject({ itemId: id, quantity: z.exactOptional(z.number().positive()) }))
    .max(1000),
})

export const indoorCommands = {
  'account.book': command('account.book', { orderId: id }),
  'account.mirror': command('account.mirror', { orderId: id }),
  'account.cancel-item': command('account.cancel-item', {
    accountId: id,
    itemId: id,
    quantity: z.exactOptional(z.number().positive()),
    reason,
  }),
  'account.transfer': command('account.transfer', {
    accountId: id,
    targetAccountId: id,
    transfer: Transfer,
    reason,
  }),
  'account.pay': command('account.pay', { accountId: id, payment: Payment }),
  'account.adjust-payment': command('account.adjust-payment', {
    accountId: id,
    paymentId: id,
    amount: sum,
    reason,
  }),
  'account.discount': command('account.discount', { accountId: id, amount: sum, reason }),
  'account.courtesy': command('account.courtesy', { accountId: id, reason }),
  'account.move': command('account.move', {
    accountId: id,
    trigger,
    reason,
    requestedBy: z.exactOptional(text),
    discount: z.exactOptional(sum),
    force: yes,
  }),
  'account.request-fiscal': command('account.request-fiscal', { accountId: id, own: yes }),
  'account.conclude-fiscal': command('account.conclude-fiscal', {
    accountId: id,
    outcome: z.enum(['issued', 'error']),
    documentId: z.exactOptional(id),
    statusCode: z.exactOptional(text),
    statusReason: z.exactOptional(text),
  }),
  'table.notify': command('table.notify', { event: AccountEvent }),
  'table.find': command('table.find', { orderId: id }),
  'table.look': command('table.look', { tableId: id, round: z.exactOptional(z.int().min(0)) }),
  'table.move': command('table.move', {
    tableId: id,
    trigger,
    reason,
    discount: z.exactOptional(sum),
    force: yes,
  }),
  'table.pay': command('table.pay', {
    tableId: id,
    amount: z.exactOptional(sum),
    methodInfo: z.exactOptional(PaymentMethodInfo),
    tip: z.exactOptional(sum),
    force: yes,
  }),
  'table.cancel-item': command('table.cancel-item', {
    tableId: id,
    itemId: id,
    reason,
    force: yes,
  }),
  'table.transfer': command('table.transfer', {
    tableId: id,
    targetTableId: id,
    itemIds: z.exactOptional(itemIds),
    reason,
    force: yes,
  }),
  'table.request-fiscal': command('table.request-fiscal', {
    tableId: id,
    printDocument: z.exactOptional(z.boolean()),
    force: yes,
  }),
  'table.list': command('table.list', {
    tableId: id,
    what: z.enum(['payments', 'documents']),
    round: z.exactOptional(z.int().min(0)),
  }),
  'table.leave': command('table.leave', { tableId: id }),
}
