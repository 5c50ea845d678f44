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

const invalidField = ({ field, problem }: WrongField): Result<never, Refusal> =>
  refuse('INVALID_PAYLOAD', `the body is invalid at ${field}: ${problem}`)

type CommandResult = Result<AccountCommand, Refusal>

/** A command on the account that the call identifies. */
const accountCommand =
  (
    make: (account: AccountRecord, input: Input) => CommandResult,
    itemsOf: (input: Input) => readonly string[] = () => [],
  ) =>
  (input: Input): CommandResult => {
    const found = accountOf(input, itemsOf(input))
    return found.ok ? make(found.value, input) : found
  }

/** A view of the account that the call identifies. */
const viewHandler = (render: (account: AccountRecord, input: Input) => unknown): ViewHandler => ({
  kind: 'view',
  view: (input) => {
    const found = accountOf(input)
    return found.ok ? ok({ body: render(found.value, input) }) : found
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

const moveHandler = (trigger: AccountMove): CommandHandler => ({
  kind: 'command',
  command: accountCommand(({ accountId }, { body }) => {
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

const transferHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(
    (account, input) => {
      const body = input.body as TransferBody
      const asked = transferAsked(body)
      if (!asked.ok) return invalidField(asked.error)
      const naming = targetNaming(body, account)
      const target = naming && targetOf(naming, input)
      if (!target)
        return invalidField({ field: 'targetAccountId', problem: 'the transfer needs its target' })
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

const cancelItemHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(
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

const payHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(({ accountId }, { body }) => {
    const payment = paymentAsked(body as PaymentBody)
    return payment.ok
      ? ok({ kind: 'account.pay', accountId, payment: payment.value })
      : invalidField(payment.error)
  }),
  answer: (facts) => {
    const paid = facts.find((fact) => fact.kind === 'account.paid')
    return paid ? { body: paymentView(paid.payment) } : {}
  },
}

const requestFiscalHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(({ accountId }) => ok({ kind: 'account.request-fiscal', accountId })),
  answer: receipt,
}

export const indoorHandlers = {
  account: viewHandler((account, { settings }) => accountView(account, settings.conduct.indoor)),
  'account-by-id': viewHandler((account, { settings }) =>
    accountView(account, settings.conduct.indoor),
  ),
  'account-payments': viewHandler((account) => ({ payments: paymentsView(account) })),
  'account-documents': viewHandler((account) => ({ documents: documentsView(account) })),
  'account.pre-close': moveHandler('pre-close'),
  'account.unlock': moveHandler('unlock'),
  'account.close': moveHandler('close'),
  'account.cancel-item': cancelItemHandler,
  'account.transfer': transferHandler,
  'account.pay': payHandler,
  'account.request-fiscal': requestFiscalHandler,
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
