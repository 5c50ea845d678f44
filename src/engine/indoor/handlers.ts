/** Request handlers of Indoor: the host's commands and views, and the client's webhook. */
import { compact } from '../../compact.ts'
import type {
  AccountNaming,
  CloseBody,
  ItemCancelBody,
  PaymentBody,
  PreCloseBody,
  TransferBody,
} from '../../protocol/indoor/bodies.ts'
import { amountIn } from '../../protocol/indoor/bodies.ts'
import type { AccountEvent } from '../../protocol/indoor/events.ts'
import { paymentAsked, transferAsked, type WrongField } from '../../protocol/indoor/instructions.ts'
import type { AccountMove } from '../../protocol/indoor/lifecycle.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Fact } from '../fact.ts'
import type { Answer, Handlers, Input, CommandHandler, ViewHandler } from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { accountOf, targetOf } from './account-find.ts'
import { accountView, documentsView, itemView, paymentsView, paymentView } from './account-view.ts'
import type { AccountCommand } from './command.ts'
import type { AccountRecord } from './world.ts'

const wrong = ({ field, problem }: WrongField): Result<never, Refusal> =>
  refuse('INVALID_PAYLOAD', `the body is invalid at ${field}: ${problem}`)

type Made = Result<AccountCommand, Refusal>

/** A command on the account that the call identifies. */
const onAccount =
  (
    make: (account: AccountRecord, input: Input) => Made,
    itemsOf: (input: Input) => readonly string[] = () => [],
  ) =>
  (input: Input): Made => {
    const found = accountOf(input, itemsOf(input))
    return found.ok ? make(found.value, input) : found
  }

/** A view of the account that the call identifies. */
const view = (see: (account: AccountRecord, input: Input) => unknown): ViewHandler => ({
  kind: 'view',
  view: (input) => {
    const found = accountOf(input)
    return found.ok ? ok({ body: see(found.value, input) }) : found
  },
})

/** The body of a 202. The effect has taken place already; the correlation id is the event's or the document's id. */
function receipt(facts: readonly Fact[], input: Input): Answer {
  const event = facts.find((fact) => fact.kind === 'event.announced')
  const asked = facts.find((fact) => fact.kind === 'account.fiscal-requested')
  const found = accountOf(input)
  const correlationId =
    event?.event.eventId ?? asked?.documentId ?? (found.ok ? found.value.accountId : 'none')
  return { body: { status: 'ACCEPTED', correlationId } }
}

const moves = (trigger: AccountMove): CommandHandler => ({
  kind: 'command',
  command: onAccount(({ accountId }, { body }) => {
    const { reason, requestedBy, discount } = (body ?? {}) as PreCloseBody & CloseBody
    return ok({
      kind: 'account.move',
      accountId,
      trigger,
      ...compact({ reason, requestedBy }),
      ...(discount === undefined ? {} : { discount: amountIn(discount) }),
    })
  }),
  answer: receipt,
})

/** The item ids of a transfer, to find the account when the call names none. */
function itemsOfTransfer(body: TransferBody): readonly string[] {
  const { items = [], itemIds = [] } = body
  return [...items.map((item) => (typeof item === 'string' ? item : item.itemId)), ...itemIds]
}

/** The target of a transfer, by id or by key; a key without a merchant is at the source's merchant. */
function targetNaming(
  { targetAccountId, target }: TransferBody,
  { merchantId }: AccountRecord,
): AccountNaming | undefined {
  if (targetAccountId !== undefined) return { accountId: targetAccountId }
  return target && { merchantId, ...target }
}

const transfers: CommandHandler = {
  kind: 'command',
  command: onAccount(
    (account, input) => {
      const body = input.body as TransferBody
      const asked = transferAsked(body)
      if (!asked.ok) return wrong(asked.error)
      const naming = targetNaming(body, account)
      const target = naming && targetOf(naming, input)
      if (!target)
        return wrong({ field: 'targetAccountId', problem: 'the transfer needs its target' })
      if (!target.ok) return target
      const { reason } = body
      return ok({
        kind: 'account.transfer',
        accountId: account.accountId,
        targetAccountId: target.value.accountId,
        transfer: asked.value,
        ...compact({ reason }),
      })
    },
    ({ body }) => itemsOfTransfer((body ?? {}) as TransferBody),
  ),
  answer: (facts, { settings }) => {
    const arrived = facts.find((fact) => fact.kind === 'account.items-arrived')
    const { usesAccountId } = settings.conduct.indoor
    const ids =
      arrived && usesAccountId
        ? { sourceAccountId: arrived.sourceAccountId, targetAccountId: arrived.accountId }
        : {}
    const transferredItemIds = arrived?.items.map(({ itemId }) => itemId) ?? []
    const at = arrived ? { transferredAt: arrived.transferredAt } : {}
    return { body: { ...ids, transferredItemIds, ...at } }
  },
}

const cancelsItem: CommandHandler = {
  kind: 'command',
  command: onAccount(
    ({ accountId }, { body, params }) => {
      const { quantity, reason } = (body ?? {}) as ItemCancelBody
      return ok({
        kind: 'account.cancel-item',
        accountId,
        itemId: params['itemId'] ?? '',
        ...compact({ quantity, reason }),
      })
    },
    ({ params }) => [params['itemId'] ?? ''],
  ),
  answer: (_facts, input) => {
    const itemId = input.params['itemId'] ?? ''
    const found = accountOf(input, [itemId])
    const item = found.ok && found.value.items.find((each) => each.itemId === itemId)
    return item ? { body: itemView(item) } : {}
  },
}

const pays: CommandHandler = {
  kind: 'command',
  command: onAccount(({ accountId }, { body }) => {
    const payment = paymentAsked(body as PaymentBody)
    return payment.ok
      ? ok({ kind: 'account.pay', accountId, payment: payment.value })
      : wrong(payment.error)
  }),
  answer: (facts) => {
    const paid = facts.find((fact) => fact.kind === 'account.paid')
    return paid ? { body: paymentView(paid.payment) } : {}
  },
}

const requestsFiscal: CommandHandler = {
  kind: 'command',
  command: onAccount(({ accountId }) => ok({ kind: 'account.request-fiscal', accountId })),
  answer: receipt,
}

export const indoorHandlers = {
  account: view((account, { settings }) => accountView(account, settings.conduct.indoor)),
  'account-by-id': view((account, { settings }) => accountView(account, settings.conduct.indoor)),
  'account-payments': view((account) => ({ payments: paymentsView(account) })),
  'account-documents': view((account) => ({ documents: documentsView(account) })),
  'account.pre-close': moves('pre-close'),
  'account.unlock': moves('unlock'),
  'account.close': moves('close'),
  'account.cancel-item': cancelsItem,
  'account.transfer': transfers,
  'account.pay': pays,
  'account.request-fiscal': requestsFiscal,
  'table.notify': {
    kind: 'command',
    command: ({ body }) => ok({ kind: 'table.notify', event: body as AccountEvent }),
    answer: (_facts, { body, settings }) => {
      const { eventId, orderId } = body as AccountEvent
      const about = { eventIds: [eventId], ...compact({ orderId }) }
      return { about, status: settings.conduct.indoor.eventAnswer }
    },
  },
} satisfies Handlers
