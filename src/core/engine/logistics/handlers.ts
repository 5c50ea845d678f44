/** Request handlers of Logistics: the Delivery Platform's operations and its consumers' webhook. */
import { compact } from '../../base/compact.ts'
import {
  type AvailabilityRequest,
  type DeliveryCancellation,
  type DeliveryCreation,
  type DeliveryEvent,
  type ProblemReport,
  problemReasons,
} from '../../protocol/logistics/bodies.ts'
import { readDeliveryPlaces, nonEmptyString } from '../../protocol/logistics/place.ts'
import {
  problemCode,
  readDeliveryEvent,
  reportedRecoverable,
} from '../../protocol/logistics/read.ts'
import { err, ok, type Result } from '../../protocol/result.ts'
import type { HandlerAnswer, OperationHandlers, HandlerInput, CommandHandler } from '../handler.ts'
import type { Refusal } from '../refusal.ts'
import type { Fact } from '../fact.ts'
import type { DeliveryRecord } from './delivery.ts'
import type { CommandOf } from '../command.ts'
import type { LogisticsCommand } from './commands.ts'
import { findDelivery } from './delivery-commands.ts'
import { availabilityView, deliveryUrlsAt, deliveryView, type DeliveryViewOptions } from './view.ts'

const orderIdOf = ({ params }: HandlerInput): string => params['orderId'] ?? ''

const viewOptions = ({ now, settings, origin }: HandlerInput): DeliveryViewOptions => ({
  now,
  conduct: settings.conduct.logistics,
  urlOf: deliveryUrlsAt(origin, settings),
})

const find = (id: string, { world, settings }: HandlerInput): Result<DeliveryRecord, Refusal> =>
  findDelivery(id, world.logistics, settings.conduct.logistics.lookupByDeliveryId)

type CommandResult = Result<LogisticsCommand, Refusal>

/** The body of a 202: the delivery where the session includes it (LOG-UND-05), else none. */
function receipt(orderId: string, input: HandlerInput): HandlerAnswer {
  const about = { orderId }
  if (input.settings.conduct.logistics.receipts !== 'delivery') return { about }
  const found = find(orderId, input)
  return found.ok ? { about, body: deliveryView(found.value, viewOptions(input)) } : { about }
}

type AnswerOf = (facts: readonly Fact[], input: HandlerInput) => HandlerAnswer

const commandHandler = (
  command: (input: HandlerInput) => CommandResult,
  answer: AnswerOf = (_facts, input) => receipt(orderIdOf(input), input),
): CommandHandler => ({
  kind: 'command',
  command,
  answer,
})

/** The public standard says whether a cancellation costs something: with us it never does. */
const cancellationReceipt: AnswerOf = (_facts, input) => {
  const answer = receipt(orderIdOf(input), input)
  const { publishedFields } = input.settings.conduct.logistics
  return publishedFields && answer.body === undefined
    ? { ...answer, body: { additionalCharges: false } }
    : answer
}

const progressCall = (
  trigger: CommandOf<'delivery.request'>['trigger'],
  answer?: AnswerOf,
): CommandHandler =>
  commandHandler((input) => {
    const body = (input.body ?? {}) as DeliveryCancellation
    const because = trigger === 'cancel' ? (body.cancellationCode ?? body.reason) : undefined
    return ok({
      kind: 'delivery.request',
      orderId: orderIdOf(input),
      trigger,
      ...compact({ because }),
    })
  }, answer)

function create(input: HandlerInput): CommandResult {
  const body = input.body as DeliveryCreation
  const displayId = nonEmptyString(body.orderDisplayId)
  return ok({
    kind: 'delivery.create',
    wish: {
      orderId: body.orderId,
      ...compact({ displayId }),
      ...readDeliveryPlaces(body),
    },
    consumer: input.client?.role ?? 'ordering-application',
  })
}

/** A creation returns the delivery's id, new or existing (fields.md, L4). */
function creationReply(input: HandlerInput): HandlerAnswer {
  const { orderId } = input.body as DeliveryCreation
  const found = find(orderId, input)
  if (!found.ok || input.settings.conduct.logistics.receipts !== 'deliveryId')
    return receipt(orderId, input)
  return { about: { orderId }, body: { deliveryId: found.value.id } }
}

function report(input: HandlerInput): CommandResult {
  const body = (input.body ?? {}) as ProblemReport
  const code = problemCode(body)
  const { problemCodes } = input.settings.conduct.logistics
  if (code === undefined)
    return err({
      code: 'INVALID_PAYLOAD',
      message: 'the body is invalid at problemCode: it is missing',
    })
  if (problemCodes === 'listed' && !(problemReasons as readonly string[]).includes(code))
    return err({
      code: 'INVALID_PAYLOAD',
      message: `the body is invalid at problemCode: ${code} is none of ${problemReasons.join(', ')}`,
    })
  const description = body.description ?? body.message
  const recoverable = reportedRecoverable(body)
  return ok({
    kind: 'delivery.report',
    orderId: orderIdOf(input),
    problem: {
      code,
      ...compact({ description, recoverable }),
    },
  })
}

export const logisticsHandlers = {
  'delivery.quote': commandHandler(
    ({ body }) => ok({ kind: 'delivery.quote', request: body as AvailabilityRequest }),
    (facts, input) => {
      const quoted = facts.find((fact) => fact.kind === 'delivery.quoted')
      if (!quoted) throw new Error('a question for availability has no outcome')
      return {
        ...(quoted.orderId === undefined ? {} : { about: { orderId: quoted.orderId } }),
        body: availabilityView(quoted.quote, viewOptions(input)),
      }
    },
  ),
  'delivery.create': commandHandler(create, (_facts, input) => creationReply(input)),
  delivery: {
    kind: 'view',
    view: (input) => {
      const found = find(orderIdOf(input), input)
      return found.ok ? ok({ body: deliveryView(found.value, viewOptions(input)) }) : found
    },
  },
  'delivery.ready': commandHandler((input) =>
    ok({ kind: 'delivery.ready', orderId: orderIdOf(input) }),
  ),
  'delivery.collected': progressCall('collected'),
  'delivery.delivered': progressCall('delivered'),
  'delivery.problem': commandHandler(report),
  'delivery.cancel': progressCall('cancel', cancellationReceipt),
  'shipment.notify': {
    kind: 'command',
    command: ({ host, body }) =>
      host === 'ordering-application' || host === 'software-service'
        ? ok({ kind: 'shipment.notify', role: host, event: body as DeliveryEvent })
        : err({ code: 'NOT_FOUND', message: `the ${host} takes no delivery events` }),
    answer: (_facts, { body }) => {
      const { orderId, eventId } = readDeliveryEvent(body)
      return { about: { orderId, eventIds: [eventId] } }
    },
  },
} satisfies OperationHandlers
