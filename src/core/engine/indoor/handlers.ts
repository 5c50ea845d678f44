/** Request handlers of Indoor: the host's commands and views, and the client's webhook. */
import { compact } from '../../base/compact.ts'
import {
  type AccountReference,
  type CloseBody,
  type ItemCancelBody,
  type PaymentBody,
  type PreCloseBody,
  type TransferBody,
  decimalAmount,
} from '../../protocol/indoor/bodies.ts'
import type { AccountEventBody } from '../../protocol/indoor/events.ts'
import {
  readPaymentInstruction,
  readTransferInstruction,
  type InvalidField,
} from '../../protocol/indoor/instructions.ts'
import type { DiningAccountMove } from '../../protocol/indoor/lifecycle.ts'
import { ok, type Result } from '../../protocol/result.ts'
import type { Fact } from '../fact.ts'
import type {
  HandlerAnswer,
  OperationHandlers,
  HandlerInput,
  CommandHandler,
  ViewHandler,
} from '../handler.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { resolveAccount, resolveTransferTarget } from './account-find.ts'
import {
  diningAccountView,
  fiscalDocumentsView,
  accountItemView,
  accountPaymentsView,
  accountPaymentView,
} from './account-view.ts'
import type { IndoorCommand } from './commands.ts'
import type { DiningAccountRecord } from './world.ts'

const invalidField = ({ field, problem }: InvalidField): Result<never, Refusal> =>
  refuse('INVALID_PAYLOAD', `the body is invalid at ${field}: ${problem}`)

type CommandResult = Result<IndoorCommand, Refusal>

/** A command on the account that the call identifies. */
const accountCommand =
  (
    make: (account: DiningAccountRecord, input: HandlerInput) => CommandResult,
    itemsOf: (input: HandlerInput) => readonly string[] = () => [],
  ) =>
  (input: HandlerInput): CommandResult => {
    const found = resolveAccount(input, itemsOf(input))
    return found.ok ? make(found.value, input) : found
  }

/** A view of the account that the call identifies. */
const viewHandler = (
  render: (account: DiningAccountRecord, input: HandlerInput) => unknown,
): ViewHandler => ({
  kind: 'view',
  view: (input) => {
    const found = resolveAccount(input)
    return found.ok ? ok({ body: render(found.value, input) }) : found
  },
})

const acceptedAs = (correlationId: string): HandlerAnswer => ({
  body: { status: 'ACCEPTED', correlationId },
})

/** The body of a 202. The effect has taken place already; the correlation id is the event's. */
function receipt(facts: readonly Fact[], input: HandlerInput): HandlerAnswer {
  const event = facts.find((fact) => fact.kind === 'event.announced')
  const found = resolveAccount(input)
  return acceptedAs(event?.event.eventId ?? (found.ok ? found.value.accountId : 'none'))
}

/**
 * The receipt of a request for a fiscal document has the document's id, of a repeated one too: that of the document
 * which is announced again, or is still pending.
 */
function fiscalReceipt(facts: readonly Fact[], input: HandlerInput): HandlerAnswer {
  const again = facts.find((fact) => fact.kind === 'account.fiscal-concluded')
  const found = resolveAccount(input)
  const documents = found.ok ? found.value.documents.map(({ document }) => document) : []
  const pending = documents.find(({ documentStatus }) => documentStatus === 'PENDING')
  return acceptedAs((again?.document ?? pending ?? documents.at(-1))?.documentId ?? 'none')
}

const moveHandler = (trigger: DiningAccountMove): CommandHandler => ({
  kind: 'command',
  command: accountCommand(({ accountId }, { body }) => {
    const { reason, requestedBy, discount } = (body ?? {}) as PreCloseBody & CloseBody
    return ok({
      kind: 'account.move',
      accountId,
      trigger,
      ...compact({ reason, requestedBy }),
      ...(discount === undefined ? {} : { discount: decimalAmount(discount) }),
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
  { merchantId }: DiningAccountRecord,
): AccountReference | undefined {
  if (targetAccountId !== undefined) return { accountId: targetAccountId }
  return target && { merchantId, ...target }
}

const transferHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(
    (account, input) => {
      const body = input.body as TransferBody
      const asked = readTransferInstruction(body)
      if (!asked.ok) return invalidField(asked.error)
      const naming = targetNaming(body, account)
      const target = naming && resolveTransferTarget(naming, input)
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
    const found = resolveAccount(input, [itemId])
    const item = found.ok && found.value.items.find((each) => each.itemId === itemId)
    return item ? { body: accountItemView(item) } : {}
  },
}

const payHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(({ accountId }, { body }) => {
    const payment = readPaymentInstruction(body as PaymentBody)
    return payment.ok
      ? ok({ kind: 'account.pay', accountId, payment: payment.value })
      : invalidField(payment.error)
  }),
  answer: (facts) => {
    const paid = facts.find((fact) => fact.kind === 'account.paid')
    return paid ? { body: accountPaymentView(paid.payment) } : {}
  },
}

const requestFiscalHandler: CommandHandler = {
  kind: 'command',
  command: accountCommand(({ accountId }) => ok({ kind: 'account.request-fiscal', accountId })),
  answer: fiscalReceipt,
}

export const indoorHandlers = {
  account: viewHandler((account, { settings }) =>
    diningAccountView(account, settings.conduct.indoor),
  ),
  'account-by-id': viewHandler((account, { settings }) =>
    diningAccountView(account, settings.conduct.indoor),
  ),
  'account-payments': viewHandler((account) => ({ payments: accountPaymentsView(account) })),
  'account-documents': viewHandler((account) => ({ documents: fiscalDocumentsView(account) })),
  'account.pre-close': moveHandler('pre-close'),
  'account.unlock': moveHandler('unlock'),
  'account.close': moveHandler('close'),
  'account.cancel-item': cancelItemHandler,
  'account.transfer': transferHandler,
  'account.pay': payHandler,
  'account.request-fiscal': requestFiscalHandler,
  'table.notify': {
    kind: 'command',
    command: ({ body }) => ok({ kind: 'table.notify', event: body as AccountEventBody }),
    answer: (_facts, { body, settings }) => {
      const { eventId, orderId } = body as AccountEventBody
      const about = { eventIds: [eventId], ...compact({ orderId }) }
      return { about, status: settings.conduct.indoor.eventAnswer }
    },
  },
} satisfies OperationHandlers
